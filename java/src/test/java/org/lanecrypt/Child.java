// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own for what would end or spoil this one. */
final class Child {
    final int status;
    final String output; // both streams

    private Child(int status, String output) {
        this.status = status;
        this.output = output;
    }

    static List<String> command(List<String> options, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("--enable-native-access=ALL-UNNAMED"); // or newer JVMs warn
        command.add("-XX:-CreateCoredumpOnCrash");
        command.add("-XX:+ErrorFileToStdout");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    static Child run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("child", ".out");
        try {
            Process p = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!p.waitFor(300, TimeUnit.SECONDS)) {
                p.destroyForcibly().waitFor();
                throw new AssertionError("no end after 300 s: " + command + "\n" + Files.readString(output));
            }
            return new Child(p.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    @Override
    public String toString() {
        return "exit status " + status + ", output:\n" + output;
    }
}
