// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the native library comes from, and what happens without it: the provider makes no ciphers, says why, and JCA goes on. */
class LoaderTest {
    private static final String LIBRARY = "org.lanecrypt.library";
    private static final String TMPDIR = "org.lanecrypt.tmpdir";

    @TempDir
    Path dir;

    /** What runs in the child: our provider in front, and one message by whoever is there. */
    static final class Probe {
        public static void main(String[] arguments) throws Exception {
            Provider ours = new LanecryptProvider();
            Security.insertProviderAt(ours, 1);
            Cipher c = Cipher.getInstance("AES/GCM/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new GCMParameterSpec(128, new byte[12]));
            c.doFinal(new byte[100]);
            System.out.println("cipher of " + c.getProvider().getName());
            for (String name : new String[] { "AES/GCM/NoPadding", "AES/XTS/NoPadding", "ChaCha20-Poly1305" }) {
                try {
                    Cipher.getInstance(name, ours);
                } catch (NoSuchAlgorithmException e) {
                    System.out.println("none, as " + e.getCause().getMessage());
                }
            }
        }
    }

    private static Child run(Class<?> main, String... properties) throws Exception {
        return Child.run(command(main, properties));
    }

    private static List<String> command(Class<?> main, String... properties) {
        List<String> options = new ArrayList<>();
        for (String p : properties)
            options.add("-D" + p);
        return Child.command(options, main.getName());
    }

    private static void loads(String... properties) throws Exception {
        Child probe = run(Probe.class, properties);
        assertEquals(0, probe.status, probe::toString);
        assertTrue(probe.output.contains("cipher of Lanecrypt"), probe::toString);
        assertEquals(0, run(Main.class, properties).status);
    }

    /** No library, a reason in these words from the diagnosis, and the JDK's cipher from JCA. */
    private static void doesNotLoad(List<String> words, String... properties) throws Exception {
        refused(words, Child.run(command(Main.class, properties)), Child.run(command(Probe.class, properties)));
    }

    private static void refused(List<String> words, Child main, Child probe) {
        assertEquals(1, main.status, main::toString);
        for (String word : words)
            assertTrue(main.output.contains(word), () -> "\"" + word + "\" is missing in the diagnosis: " + main);
        assertFalse(main.output.contains("\tat "), () -> "a stack trace: " + main);
        assertEquals(0, probe.status, probe::toString);
        assertEquals(4, probe.output.split("none, as lanecrypt's native library can't be used: ").length, probe::toString);
        for (String word : words)
            assertTrue(probe.output.contains(word), () -> "\"" + word + "\" is missing in the cause: " + probe);
        assertTrue(probe.output.contains("cipher of SunJCE"), probe::toString);
    }

    /** The library that this JVM uses, for the architecture that it runs on. */
    private static byte[] library() throws IOException {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        Path found = null;
        Path classes = Path.of(LanecryptProvider.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        try (Stream<Path> files = Files.walk(classes)) {
            found = files.filter(f -> f.toString().contains("linux-" + arch + "/lib")).findFirst().orElseThrow();
        }
        return Files.readAllBytes(found);
    }

    private Path write(String name, byte[] content) throws IOException {
        return Files.write(dir.resolve(name), content);
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    @Test
    void fromTheJarWithNothingLeftBehind() throws Exception {
        loads(TMPDIR + "=" + dir);
        assertEquals(0, entries(dir), "files left in the directory for temporary files");
        loads("java.io.tmpdir=" + dir);
        try (Stream<Path> files = Files.list(dir)) {
            assertEquals(0, files.filter(f -> !f.getFileName().toString().startsWith("hsperfdata")).count());
        }
    }

    @Test
    void fromAFile() throws Exception {
        Path library = write("liblanecrypt_jni.so", library());
        loads(LIBRARY + "=" + library, TMPDIR + "=/nonexistent"); // and nothing is extracted
    }

    /** A jar without native libraries, as a distribution's package has it: from where the JVM looks for libraries. */
    @Test
    void fromTheLibraryPath() throws Exception {
        Path classes = Path.of(LanecryptProvider.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        Path without = dir.resolve("classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(f -> !f.toString().contains("/linux-"))::iterator)
                Files.copy(file, without.resolve(classes.relativize(file)));
        }
        write("liblanecrypt_jni.so", library());
        String found = "java.library.path=" + dir;
        String none = "java.library.path=" + without;
        Child main = Child.run(inPlaceOf(classes, without, command(Main.class, found, TMPDIR + "=/nonexistent")));
        assertEquals(0, main.status, main::toString);
        assertTrue(main.output.contains("java.library.path"), main::toString);
        Child probe = Child.run(inPlaceOf(classes, without, command(Probe.class, found)));
        assertTrue(probe.output.contains("cipher of Lanecrypt"), probe::toString);
        refused(List.of("the jar has no native library", "java.library.path", LIBRARY),
                Child.run(inPlaceOf(classes, without, command(Main.class, none))),
                Child.run(inPlaceOf(classes, without, command(Probe.class, none))));
    }

    /** The command with another directory in the class path. */
    private static List<String> inPlaceOf(Path classes, Path other, List<String> command) {
        List<String> changed = new ArrayList<>(command);
        int at = changed.indexOf("-cp") + 1;
        String path = changed.get(at).replaceFirst("(^|:)" + Pattern.quote(classes.toString()) + "/?(?=:|$)", "$1" + other);
        assertFalse(path.equals(changed.get(at)), path);
        changed.set(at, path);
        return changed;
    }

    @Test
    void aFileThatIsNotThere() throws Exception {
        doesNotLoad(List.of(LIBRARY, dir + "/missing.so"), LIBRARY + "=" + dir + "/missing.so");
    }

    @Test
    void notALibrary() throws Exception {
        Path text = write("text.so", "not a library\n".getBytes(StandardCharsets.UTF_8));
        doesNotLoad(List.of(LIBRARY, text.toString()), LIBRARY + "=" + text);
    }

    /** A library that is one, but not ours. */
    @Test
    void anotherLibrary() throws Exception {
        Path other = Path.of(System.getProperty("java.home"), "lib", "libprefs.so");
        assertTrue(Files.exists(other));
        doesNotLoad(List.of(LIBRARY, other.toString()), LIBRARY + "=" + other);
    }

    /** Ours, of another version: the version's string is changed where it stands in the file. */
    @Test
    void anotherVersion() throws Exception {
        String version = Mode.PROVIDER.getVersionStr();
        byte[] library = library();
        String text = new String(library, StandardCharsets.ISO_8859_1);
        String other = (version.charAt(0) == '9' ? "8" : "9") + version.substring(1);
        int places = 0;
        for (int at = text.indexOf(version + "\0"); at >= 0; at = text.indexOf(version + "\0", at + 1)) {
            library[at] = (byte) other.charAt(0);
            places++;
        }
        assertTrue(places > 0, "the version " + version + " is not in the library");
        Path changed = write("changed.so", library);
        doesNotLoad(List.of(changed.toString(), version, other), LIBRARY + "=" + changed);
    }

    @Test
    void noDirectoryToExtractTo() throws Exception {
        doesNotLoad(List.of(TMPDIR, "/nonexistent/tmp"), TMPDIR + "=/nonexistent/tmp");
        Path file = write("file", new byte[1]);
        doesNotLoad(List.of(TMPDIR, file.toString()), TMPDIR + "=" + file);
    }

    /** As many a container's /tmp is: a file system that can't be written to, or from which no library can be mapped. */
    @ParameterizedTest
    @ValueSource(strings = { "ro", "noexec" })
    void aDirectoryThatIsNoUse(String option) throws Exception {
        Path mounted = Files.createDirectory(dir.resolve(option));
        List<String> inside = List.of("unshare", "--mount", "sh", "-c",
                                      "mount -t tmpfs -o " + option + " tmpfs \"$0\" && { \"$@\"; s=$?; ls -A \"$0\"; exit $s; }",
                                      mounted.toString());
        assumeTrue(Child.run(join(inside, List.of("true"))).status == 0, "a file system cannot be mounted here; that needs root");
        Child diagnosis = Child.run(join(inside, command(Main.class, TMPDIR + "=" + mounted)));
        Child probe = Child.run(join(inside, command(Probe.class, TMPDIR + "=" + mounted)));
        refused(List.of(TMPDIR, mounted.toString(), option.equals("ro") ? "Read-only" : "noexec", LIBRARY), diagnosis, probe);
        assertFalse(diagnosis.output.contains("\nlanecrypt-"), () -> "a file was left behind: " + diagnosis);
    }

    private static List<String> join(List<String> a, List<String> b) {
        List<String> both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }

    /** An environment variable of the library's that can't be followed: no key is taken, and JCA goes on to the next provider. */
    @Test
    void anEnvironmentThatCannotBeFollowed() throws Exception {
        List<String> environment = List.of("env", "LANECRYPT_IMPL=gcm-aes-no-such");
        Child diagnosis = Child.run(join(environment, command(Main.class)));
        assertEquals(1, diagnosis.status, diagnosis::toString);
        assertTrue(diagnosis.output.contains("LANECRYPT_IMPL"), diagnosis::toString);
        assertTrue(diagnosis.output.contains("gcm-aes-no-such"), diagnosis::toString);
        Child probe = Child.run(join(environment, command(Probe.class)));
        assertEquals(0, probe.status, probe::toString);
        assertTrue(probe.output.contains("cipher of SunJCE"), probe::toString);
    }

    /** The diagnosis of a good installation. */
    @Test
    void diagnosis() throws Exception {
        Path library = write("lib.so", library());
        Child main = run(Main.class, LIBRARY + "=" + library);
        assertEquals(0, main.status, main::toString);
        for (String word : new String[] { Mode.PROVIDER.getVersionStr(), library.toString(), "gcm-aes-", "ctr-aes-", "xts-aes-",
                                          "chacha20-", "chacha20-poly1305-", "position", "Cipher AES/GCM/NoPadding: SunJCE",
                                          "Cipher XChaCha20-Poly1305: none" })
            assertTrue(main.output.contains(word), () -> "\"" + word + "\" is missing: " + main);
    }

    /** The child: class loaders of their own that use every cipher, as programs do that a server loads and unloads. */
    static final class Unloading {
        private static final int LOADERS = 20;

        public static void main(String[] arguments) throws Exception {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int i = 0; i < LOADERS; i++)
                loaders.add(use(i));
            long left = LOADERS;
            for (int i = 0; i < 100 && left > 0; i++) {
                System.gc();
                Thread.sleep(20);
                left = loaders.stream().filter(l -> l.get() != null).count();
            }
            System.out.println("loaders left: " + left);
        }

        private static WeakReference<ClassLoader> use(int number) throws Exception {
            URL classes = LanecryptProvider.class.getProtectionDomain().getCodeSource().getLocation();
            URLClassLoader loader = new URLClassLoader(new URL[] { classes }, ClassLoader.getPlatformClassLoader());
            Class<?> type = loader.loadClass(LanecryptProvider.class.getName());
            assertFalse(type == LanecryptProvider.class);
            Provider provider = (Provider) type.getConstructor().newInstance();
            Security.insertProviderAt(provider, 1);
            for (Mode mode : Mode.values()) {
                Random random = new Random(number);
                Cipher once = Cipher.getInstance(mode.transformation);
                assertTrue(once.getProvider() == provider);
                SecretKey key = mode.key(random);
                once.init(Cipher.ENCRYPT_MODE, key, mode.spec(random));
                once.doFinal(new byte[100]);
                Cipher often = Cipher.getInstance(mode.transformation, provider);
                for (int i = 0; i < 3; i++) {
                    often.init(Cipher.ENCRYPT_MODE, key, mode.spec(random));
                    often.doFinal(new byte[100]);
                }
            }
            KeyGenerator.getInstance("AES", provider).generateKey();
            Security.removeProvider(provider.getName());
            loader.close();
            return new WeakReference<>(loader);
        }
    }

    @Test
    void classLoadersAreUnloaded() throws Exception {
        Child child = run(Unloading.class);
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.contains("loaders left: 0"), child::toString);
    }
}
