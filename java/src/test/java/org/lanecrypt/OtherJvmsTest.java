// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other tests once more in JVMs of another kind, without the second compiler, which would take a third of their time. */
class OtherJvmsTest {
    private static Child run(List<String> options, Class<?>... tests) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("execute", "--details=summary", "--disable-banner", "--fail-if-no-tests"));
        Arrays.stream(tests).map(t -> "-c=" + t.getName()).forEach(arguments::add);
        options = new ArrayList<>(options);
        options.add("-XX:TieredStopAtLevel=1");
        options.add("-Dlanecrypt.vectors=" + System.getProperty("lanecrypt.vectors"));
        Child child = Child.run(Child.command(options, "org.junit.platform.console.ConsoleLauncher",
                                              arguments.toArray(new String[0])));
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.contains("[         0 tests failed          ]"), child::toString);
        return child;
    }

    /** A JVM that watches what native code does with it. */
    @Test
    void checkJni() throws Exception {
        Child child = run(List.of("-Xcheck:jni"), DifferentialTest.class, BehaviourTest.class, VectorsTest.class, ThreadsTest.class,
                          AeadTest.class);
        assertFalse(child.output.toLowerCase().contains("warning"), child::toString);
    }

    /** Each collector has its own way to keep an array in its place; a small heap gives them something to do. */
    @ParameterizedTest
    @ValueSource(strings = { "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC" })
    void otherCollectors(String collector) throws Exception {
        run(List.of(collector, "-Xmx100m"), DifferentialTest.class);
    }
}
