// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that build.sh has made, as an agent of programs that don't have it in their class path. */
class AgentTest {
    private static final Path JAR = Path.of("target", "lanecrypt-" + Mode.PROVIDER.getVersionStr() + ".jar").toAbsolutePath();
    private static final String BROKEN = "-Dorg.lanecrypt.library=/nonexistent.so";

    @TempDir
    Path dir;

    /** The program: it knows nothing of the provider. */
    static final class Probe {
        public static void main(String[] arguments) throws Exception {
            System.out.println("list: " + list());
            Cipher c = Cipher.getInstance("AES/GCM/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new GCMParameterSpec(128, new byte[12]));
            System.out.println(c.doFinal(new byte[100]).length + " bytes by " + c.getProvider().getName());
        }
    }

    private static String list() {
        return Arrays.stream(Security.getProviders()).map(Provider::getName).collect(Collectors.joining(" "));
    }

    /** The probe in a JVM with these options, and nothing but it in the class path. */
    private static Child run(String... options) throws Exception {
        assertTrue(Files.exists(JAR), () -> JAR + " isn't there: build.sh makes it");
        List<String> command = Child.command(List.of(options), Probe.class.getName());
        command.set(command.indexOf("-cp") + 1, Path.of("target", "test-classes").toAbsolutePath().toString());
        return Child.run(command);
    }

    @Test
    void comesFirst() throws Exception {
        Child child = run("-javaagent:" + JAR + "=required");
        assertEquals(0, child.status, child::toString);
        assertEquals("list: Lanecrypt " + list() + "\n116 bytes by Lanecrypt\n", child.output);
    }

    @Test
    void theProgramGoesOnWithoutALibrary() throws Exception {
        Child child = run("-javaagent:" + JAR, BROKEN);
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.contains("lanecrypt: not used by this JVM: /nonexistent.so"), child::toString);
        assertFalse(child.output.contains("\tat "), () -> "a stack trace: " + child);
        assertTrue(child.output.endsWith("list: " + list() + "\n116 bytes by SunJCE\n"), child::toString);
    }

    @Test
    void theProgramDoesNotStartIfItIsRequired() throws Exception {
        Child child = run("-javaagent:" + JAR + "=required", BROKEN);
        assertFalse(child.status == 0 || child.output.contains(" bytes by "), child::toString);
        assertTrue(child.output.contains("lanecrypt is required and can't be used: /nonexistent.so"), child::toString);
        Child misspelt = run("-javaagent:" + JAR + "=requird");
        assertFalse(misspelt.status == 0 || misspelt.output.contains(" bytes by "), misspelt::toString);
        assertTrue(misspelt.output.contains("\"requird\""), misspelt::toString);
    }

    /** The option that puts these at the head of the list. */
    private String listed(String... names) throws Exception {
        Path list = dir.resolve("list");
        Files.write(list, IntStream.range(0, names.length).mapToObj(i -> "security.provider." + (i + 1) + "=" + names[i]).toList());
        return "-Djava.security.properties=" + list;
    }

    /** No agent: the other way for a program whose class path can't be changed. */
    @Test
    void byAListAndTheBootClassPath() throws Exception {
        Child child = run("-Xbootclasspath/a:" + JAR, listed("Lanecrypt", "SUN", "SunJCE"));
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.startsWith("list: Lanecrypt SUN SunJCE "), child::toString);
        assertTrue(child.output.endsWith("116 bytes by Lanecrypt\n"), child::toString);
    }

    /** Where the administrator's list already has it. */
    @Test
    void staysWhereTheListHasIt() throws Exception {
        Child child = run("-javaagent:" + JAR, listed("SUN", "Lanecrypt", "SunJCE"));
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.startsWith("list: SUN Lanecrypt SunJCE "), child::toString);
        assertTrue(child.output.endsWith("116 bytes by Lanecrypt\n"), child::toString);
    }
}
