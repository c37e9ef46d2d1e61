// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Direct buffers over memory that isn't there any more, or belongs to another thread.  Each call has to end in the exception that
 * the buffer's own get and put throw; a JVM that ends, or bytes that come from or go to such memory, would be the end of Java's
 * safety.
 */
class ForeignMemoryTest {
    private static final int CAPACITY = 400_000;
    private static final int[] LENGTHS = { 100, 1000, 5000, 300_000 };

    /** Memory that can be taken away, as a buffer. */
    private interface Memory {
        ByteBuffer buffer() throws Exception;

        /** What makes it unusable for this thread. */
        void spoil() throws Exception;
    }

    /** A file that gets shorter after it was mapped: the rest of the mapping has no memory behind it. */
    private static final class Mapped implements Memory {
        private final Path file;
        private final FileChannel channel;
        private final int left;

        Mapped(int left) throws Exception {
            this.left = left;
            file = Files.createTempFile("mapped", ".bin");
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }

        @Override
        public ByteBuffer buffer() throws Exception {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, CAPACITY);
        }

        @Override
        public void spoil() throws Exception {
            channel.truncate(left);
            channel.close();
            Files.delete(file);
        }
    }

    /** Memory of an arena, in JDK 17 of an incubating module's scope, neither of which the tests are compiled with. */
    static final class Arena implements Memory {
        private final Object arena;
        private ByteBuffer buffer;

        Arena(boolean shared) throws Exception {
            arena = isIncubator()
                ? method("ResourceScope", shared ? "newSharedScope" : "newConfinedScope").invoke(null)
                : method("Arena", shared ? "ofShared" : "ofConfined").invoke(null);
        }

        private static boolean isIncubator() {
            return Runtime.version().feature() == 17;
        }

        private static Method method(String type, String name, Class<?>... parameters) throws Exception {
            String module = isIncubator() ? "jdk.incubator.foreign." : "java.lang.foreign.";
            return Class.forName(module + type).getMethod(name, parameters);
        }

        static boolean exists() {
            try {
                new Arena(true).close();
                return true;
            } catch (Exception e) {
                return false;
            }
        }

        @Override
        public ByteBuffer buffer() throws Exception {
            Object segment;
            if (isIncubator()) {
                Class<?> scope = Class.forName("jdk.incubator.foreign.ResourceScope");
                segment = method("MemorySegment", "allocateNative", long.class, scope).invoke(null, (long) CAPACITY, arena);
            } else {
                segment = method("Arena", "allocate", long.class).invoke(arena, (long) CAPACITY);
            }
            buffer = (ByteBuffer) method("MemorySegment", "asByteBuffer").invoke(segment);
            return buffer;
        }

        void close() throws Exception {
            method(isIncubator() ? "ResourceScope" : "Arena", "close").invoke(arena);
        }

        @Override
        public void spoil() throws Exception {
            close();
        }
    }

    /** The same, while it belongs to a thread that lives on. */
    private static final class Confined implements Memory {
        private ByteBuffer buffer;

        @Override
        public ByteBuffer buffer() throws Exception {
            Thread owner = new Thread(() -> {
                try {
                    buffer = new Arena(false).buffer();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            owner.start();
            owner.join();
            return buffer;
        }

        @Override
        public void spoil() {
        }
    }

    private static Memory memory(String kind) throws Exception {
        return switch (kind) {
            case "truncated" -> new Mapped(0);
            case "shortened" -> new Mapped(4096);
            case "closed" -> new Arena(false);
            case "closed, shared" -> new Arena(true);
            case "confined" -> new Confined();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /** The child: every call with such a buffer in each place of it. */
    static final class Calls {
        private static final Random RANDOM = new Random(23);

        public static void main(String[] arguments) throws Exception {
            String kind = arguments[0];
            for (Mode mode : Mode.values())
                for (int length : LENGTHS)
                    for (int opmode : new int[] { Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE })
                        for (boolean last : new boolean[] { false, true })
                            for (int view = 0; view < 3; view++)
                                for (String place : new String[] { "in", "out", "both", "aad" })
                                    oneCall(kind, mode, length, opmode, last, view, place);
            System.out.println("all refused");
        }

        private static ByteBuffer view(ByteBuffer b, int view, int offset, int length) {
            return switch (view) {
                case 0 -> b.slice(offset, length);
                case 1 -> b.duplicate().position(offset).limit(offset + length);
                default -> b.asReadOnlyBuffer().position(offset).limit(offset + length).slice();
            };
        }

        private static void oneCall(String kind, Mode mode, int length, int opmode, boolean last, int view, String place)
                throws Exception {
            String what = kind + ", " + mode + ", " + length + ", " + opmode + ", " + last + ", " + view + ", " + place;
            boolean encrypts = opmode == Cipher.ENCRYPT_MODE;
            boolean givesOut = last || mode == Mode.AES_CTR || mode == Mode.CHACHA20 || mode.isAead() && encrypts;
            if (place.equals("aad") ? last || !mode.isAead() : place.equals("out") && (view == 2 || !givesOut))
                return; // nothing is done with such a buffer
            SecretKey key = mode.key(RANDOM);
            AlgorithmParameterSpec spec = mode.spec(RANDOM);
            byte[] plain = Mode.bytes(RANDOM, length);
            byte[] text = encrypts ? plain : Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, spec, new byte[0], plain);

            Memory memory = memory(kind);
            ByteBuffer b = memory.buffer();
            int offset = kind.equals("shortened") ? 4096 - 40 : 11;
            if (!kind.equals("confined"))
                b.put(offset, text);
            ByteBuffer bad = view(b, view, offset, text.length);
            ByteBuffer badOut = view(b, view % 2, offset + (view == 1 ? 0 : 7), text.length + 16);
            memory.spoil();

            Cipher c = mode.cipher(opmode, key, spec);
            ByteBuffer in = place.equals("out") ? ByteBuffer.wrap(text) : bad;
            ByteBuffer out = place.equals("in") ? ByteBuffer.allocate(text.length + 16) : badOut;
            Class<?> expected = thrown(() -> b.get(4096 + 100), what);
            Class<?> got = thrown(() -> {
                if (place.equals("aad"))
                    c.updateAAD(bad);
                else if (last)
                    c.doFinal(in, out);
                else
                    c.update(in, out);
            }, what);
            if (got != expected)
                throw new AssertionError(what + ": " + got + " instead of " + expected);
            boolean isLate = memory instanceof Mapped && Runtime.version().feature() == 17;
            if (!last && !isLate && thrown(() -> c.doFinal(new byte[64]), what) != IllegalStateException.class)
                throw new AssertionError(what + ": the message went on");
            goesOn(mode, c, key, spec, opmode, last, what);
        }

        /** After that the nonce is used up, and the next message has to be right. */
        private static void goesOn(Mode mode, Cipher c, SecretKey key, AlgorithmParameterSpec spec, int opmode, boolean last,
                String what) throws Exception {
            if (opmode == Cipher.ENCRYPT_MODE && mode.refusesReuse()) {
                if (last && thrown(() -> c.doFinal(new byte[64]), what) != IllegalStateException.class)
                    throw new AssertionError(what + ": the nonce was used again");
                thrown(() -> c.init(opmode, key, spec), what);
            }
            SecretKey other = mode.key(RANDOM);
            AlgorithmParameterSpec fresh = mode.spec(RANDOM);
            byte[] text = Mode.bytes(RANDOM, 3000);
            c.init(Cipher.ENCRYPT_MODE, other, fresh);
            byte[] expected = Reference.crypt(mode, Cipher.ENCRYPT_MODE, other, fresh, new byte[0], text);
            if (!Arrays.equals(expected, c.doFinal(text)))
                throw new AssertionError(what + ": the next message is wrong");
        }

        private interface Step {
            void run() throws Exception;
        }

        private static byte[] large;

        private static Class<?> thrown(Step step, String what) {
            try {
                step.run();
                large = new byte[4 << 20]; // JDK 17 throws the error for a fault not there, but at some later place as this
            } catch (Throwable e) {
                return e.getClass();
            }
            throw new AssertionError(what + ": nothing was thrown");
        }
    }

    private static Child child(Class<?> main, String... arguments) throws Exception {
        List<String> options = new ArrayList<>();
        if (Runtime.version().feature() == 17)
            options.add("--add-modules=jdk.incubator.foreign");
        Child child = Child.run(Child.command(options, main.getName(), arguments));
        assertEquals(0, child.status, child::toString);
        return child;
    }

    /** In a child: whether this JVM has memory of that kind. */
    static final class HasArenas {
        public static void main(String[] arguments) {
            System.out.println("arenas: " + Arena.exists());
        }
    }

    private static void assumeArenas() throws Exception {
        assumeTrue(child(HasArenas.class).output.contains("arenas: true"), "this JDK has no arenas, or not for all");
    }

    @ParameterizedTest
    @ValueSource(strings = { "truncated", "shortened" })
    void aFileThatGotShorter(String kind) throws Exception {
        Child child = child(Calls.class, kind);
        assertTrue(child.output.contains("all refused"), child::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = { "closed", "closed, shared", "confined" })
    void anArenaThatIsClosedOrNotOurs(String kind) throws Exception {
        assumeArenas();
        Child child = child(Calls.class, kind);
        assertTrue(child.output.contains("all refused"), child::toString);
    }

    /** The child: arenas are closed by a second thread while a first one works on them. */
    static final class Closing {
        private static final long MILLISECONDS = 500;

        public static void main(String[] arguments) throws Exception {
            Mode mode = Mode.valueOf(arguments[0]);
            Random random = new Random(24);
            SecretKey key = mode.key(random);
            int refused = 0;
            int done = 0;
            /* On a busy machine it may take longer until both have happened. */
            for (long begin = System.currentTimeMillis(); System.currentTimeMillis() < begin + MILLISECONDS
                    || (done == 0 || refused == 0) && System.currentTimeMillis() < begin + 40 * MILLISECONDS;) {
                Arena arena = new Arena(true);
                ByteBuffer b = arena.buffer();
                long pause = random.nextInt(200_000);
                Thread closer = new Thread(() -> {
                    for (long start = System.nanoTime(); System.nanoTime() - start < pause;)
                        Thread.onSpinWait();
                    while (true) {
                        try {
                            arena.close();
                            return;
                        } catch (Exception e) { // JDK 17 doesn't close what is being read
                            Thread.onSpinWait();
                        }
                    }
                });
                closer.start();
                try {
                    Cipher c = mode.cipher();
                    for (int i = 0; i < 1000; i++) {
                        c.init(Cipher.ENCRYPT_MODE, key, mode.spec(random));
                        int length = 16 + random.nextInt(random.nextBoolean() ? 5000 : 300_000);
                        c.doFinal(b.duplicate().limit(length), b.duplicate().position(random.nextInt(100)));
                        done++;
                    }
                } catch (IllegalStateException e) {
                    refused++;
                }
                Thread.interrupted(); // with this JDK 25 wakes the thread under which it closes an arena
                closer.join();
            }
            System.out.println("done: " + (done > 0 && refused > 0));
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anArenaThatIsClosedInTheMiddle(Mode mode) throws Exception {
        assumeArenas();
        Child child = child(Closing.class, mode.name());
        assertTrue(child.output.contains("done: true"), child::toString);
    }

    /** Another thread changes the text all the time: what comes out is what the tag is for, or nothing. */
    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "AES_GCM", "CHACHA20_POLY1305", "XCHACHA20_POLY1305" })
    void aTextThatChangesMeanwhile(Mode mode) throws Exception {
        Random random = new Random(25);
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        for (int length : new int[] { 1000, 20_000, 300_000 }) {
            byte[] plain = Mode.bytes(random, length);
            byte[] sealed = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, spec, new byte[0], plain);
            ByteBuffer in = ByteBuffer.allocateDirect(sealed.length).put(0, sealed);
            Thread changer = new Thread(() -> {
                Random own = new Random();
                while (!Thread.interrupted()) {
                    int at = own.nextInt(length);
                    in.put(at, (byte) ~sealed[at]);
                    in.put(at, sealed[at]);
                }
            });
            changer.start();
            try {
                int[] results = new int[2];
                for (long end = System.currentTimeMillis() + 150; System.currentTimeMillis() < end;)
                    results[open(mode, key, spec, in.duplicate(), plain) ? 1 : 0]++;
            } finally {
                changer.interrupt();
                changer.join();
            }
        }
    }

    private static boolean open(Mode mode, SecretKey key, AlgorithmParameterSpec spec, ByteBuffer in, byte[] plain)
            throws GeneralSecurityException {
        ByteBuffer out = ByteBuffer.allocateDirect(plain.length);
        byte[] got = new byte[plain.length];
        try {
            mode.cipher(Cipher.DECRYPT_MODE, key, spec).doFinal(in, out);
        } catch (AEADBadTagException e) {
            out.get(0, got);
            assertTrue(Arrays.equals(new byte[plain.length], got), "a text whose tag is wrong came out");
            return false;
        }
        out.get(0, got);
        assertTrue(Arrays.equals(plain, got), "another text came out than the one whose tag was right");
        return true;
    }
}
