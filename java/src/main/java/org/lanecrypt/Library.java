// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Properties;

/**
 * Finds and loads the native library: the file that a property names, or the one in the jar; or, if the jar has none as that of a
 * distribution's package, the one where the JVM looks for libraries.
 */
final class Library {
    static final String FILE_PROPERTY = "org.lanecrypt.library";
    static final String TMPDIR_PROPERTY = "org.lanecrypt.tmpdir";
    static final String VERSION = resourceVersion();

    private static final String SHORT_NAME = "lanecrypt_jni";
    private static final String NAME = "lib" + SHORT_NAME + ".so";
    private static final String ADVICE =
            "; set " + TMPDIR_PROPERTY + " to another directory, or " + FILE_PROPERTY + " to an extracted " + NAME;
    private static String source; // where it was loaded from

    private Library() {
    }

    static String source() {
        return source;
    }

    /** Answers null, or why the library can't be used. */
    static String load() {
        try {
            String file = System.getProperty(FILE_PROPERTY);
            if (file != null)
                loadFile(file);
            else
                loadFromJar();
        } catch (IOException | RuntimeException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
        try {
            String version = version();
            return version.equals(VERSION) ? null : source + " has version " + version + ", but the Java classes have " + VERSION;
        } catch (UnsatisfiedLinkError e) {
            return source + " isn't lanecrypt's library, or is for classes of other names: it lacks " + e.getMessage();
        }
    }

    private static void loadFile(String file) throws IOException {
        source = file + " (" + FILE_PROPERTY + ")";
        try {
            System.load(Path.of(file).toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            throw new IOException(source + " can't be loaded: " + e.getMessage(), e);
        }
    }

    /** Below a directory of a random name that nobody else may enter; the file is deleted as soon as it is loaded. */
    private static void loadFromJar() throws IOException {
        String platform = platform();
        String resource = platform + "/" + NAME;
        FileSystems.getDefault();
        try (InputStream in = Library.class.getResourceAsStream(resource)) {
            if (in == null) {
                loadFromPath(platform);
                return;
            }
            Path parent = Path.of(System.getProperty(TMPDIR_PROPERTY, System.getProperty("java.io.tmpdir"))).toAbsolutePath();
            Path dir = parent.resolve("lanecrypt-" + randomName());
            try {
                Files.createDirectory(dir, owner("rwx------"));
            } catch (IOException e) {
                throw new IOException("can't make a directory in " + parent + " (" + e + ")" + ADVICE, e);
            }
            Path file = dir.resolve(NAME);
            try {
                Files.createFile(file, owner("rwx------"));
                Files.write(file, in.readAllBytes());
                source = "the jar (" + resource + ")";
                System.load(file.toString());
            } catch (IOException e) {
                throw new IOException("can't write the native library to " + parent + " (" + e + ")" + ADVICE, e);
            } catch (UnsatisfiedLinkError e) {
                throw new IOException(e.getMessage() + " (is " + parent + " mounted noexec?)" + ADVICE, e);
            } finally {
                file.toFile().delete(); // if it can't be, it stays, and the library works all the same
                dir.toFile().delete();
            }
        }
    }

    private static void loadFromPath(String platform) throws IOException {
        source = NAME + " (java.library.path)";
        try {
            System.loadLibrary(SHORT_NAME);
        } catch (UnsatisfiedLinkError e) {
            throw new IOException("the jar has no native library for " + platform + ", and " + NAME
                    + " can't be loaded from java.library.path: " + e.getMessage() + "; " + FILE_PROPERTY + " may name one", e);
        }
    }

    private static FileAttribute<?> owner(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Not by SecureRandom, which would ask for providers while this one is being loaded. */
    private static String randomName() throws IOException {
        try (InputStream in = Files.newInputStream(Path.of("/dev/urandom"))) {
            return HexFormat.of().formatHex(in.readNBytes(16));
        }
    }

    private static String platform() throws IOException {
        String os = System.getProperty("os.name");
        String arch = System.getProperty("os.arch");
        if (!os.equals("Linux"))
            throw new IOException("the jar has no native library for " + os + ", only for Linux");
        return "linux-" + (arch.equals("amd64") ? "x86_64" : arch);
    }

    private static String resourceVersion() {
        try (InputStream in = Library.class.getResourceAsStream("lanecrypt.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- library.c ----

    static native String version();

    /** A sentence for a status of the core. */
    static native String explain(int status);

    /** What is wrong with LANECRYPT_DISABLE or LANECRYPT_IMPL, so that no key can be used; or null. */
    static native String problem();

    /** The implementation of each mode that is used here, if there is no problem. */
    static native String[] implementations();
}
