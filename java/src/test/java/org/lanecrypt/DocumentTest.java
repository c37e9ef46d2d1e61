// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/java.md do what it says of them. */
class DocumentTest {
    @TempDir
    Path dir;

    @Test
    void programs() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "java.md"));
        assertTrue(page.contains("lanecrypt-" + Mode.PROVIDER.getVersionStr() + ".jar"), "the jar's name");
        // "`Name.java`...:", its lines, each four columns to the right, and "It says `...`:"
        Matcher m = Pattern.compile("`(\\w+)\\.java`[^:]*:\n\n((?: {4}.*\n|\n)+)It says `([^`]*)`:").matcher(page);
        int programs = 0;
        for (; m.find(); programs++) {
            Path source = Files.writeString(dir.resolve(m.group(1) + ".java"), m.group(2).replaceAll("(?m)^ {4}", ""));
            List<String> command = Child.command(List.of(), source.toString()); // compiles and runs it
            Child child = Child.run(command);
            assertEquals(0, child.status, child::toString);
            assertTrue(child.output.lines().anyMatch(m.group(3)::equals), child::toString);
        }
        assertEquals(2, programs, "programs in the page");
    }
}
