// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys outside of Java's heap must be gone when they have had their time. All memory of this process but the heap, whose copies
 * are the collector's, is searched for the key; every expanded key of the library begins with it.
 */
class WipeTest {
    private static final int CHUNK = 1 << 20;
    private static final int ALIGN = 4; // of copies, which compilers and allocators give them

    /** Places outside of Java's heap where the key is, which is given with all bits inverted, so as not to find itself. */
    private static int places(byte[] inverted) throws Exception {
        String heap = (String) ManagementFactory.getPlatformMBeanServer()
            .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcHeapInfo", null, null);
        Matcher range = Pattern.compile("\\[0x([0-9a-f]+), ?0x([0-9a-f]+)").matcher(heap);
        assertTrue(range.find(), "no address in: " + heap);
        long heapStart = Long.parseLong(range.group(1), 16);
        long heapEnd = Long.parseLong(range.group(2), 16);
        int found = 0;
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK + inverted.length);
        byte[] zeros = new byte[buffer.capacity()];
        try (FileChannel memory = FileChannel.open(Path.of("/proc/self/mem"))) {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                String[] words = line.split("[- ]", 4);
                long start = Long.parseUnsignedLong(words[0], 16);
                long end = Long.parseUnsignedLong(words[1], 16);
                if (!words[2].startsWith("rw") || start >= heapStart && start < heapEnd)
                    continue;
                for (long at = start; at < end; at += CHUNK) {
                    buffer.clear().put(zeros).clear().limit((int) Math.min(buffer.capacity(), end - at)); // for it is searched too
                    int n = 0;
                    try {
                        n = memory.read(buffer, at);
                    } catch (IOException e) {
                        continue; // gone meanwhile, or a device's
                    }
                    for (int i = 0; i + inverted.length <= n && i < CHUNK; i += ALIGN)
                        found += matches(buffer, i, inverted) ? 1 : 0;
                }
            }
        }
        buffer.clear().put(zeros);
        return found;
    }

    private static boolean matches(ByteBuffer b, int at, byte[] inverted) {
        for (int i = 0; i < inverted.length; i++) {
            if (b.get(at + i) != (byte) ~inverted[i])
                return false;
        }
        return true;
    }

    private static SecretKey key(Mode mode, byte[] inverted) {
        byte[] raw = inverted.clone();
        for (int i = 0; i < raw.length; i++)
            raw[i] = (byte) ~raw[i];
        SecretKey key = mode.key(raw);
        Arrays.fill(raw, (byte) 0);
        return key;
    }

    private static byte[] invertedKey(Mode mode, Random random) {
        return Mode.bytes(random, mode == Mode.AES_XTS ? 64 : 32);
    }

    /** The first half of an XTS key, which comes first in one of its schedules. */
    private static byte[] sought(Mode mode, byte[] inverted) {
        return mode == Mode.AES_XTS ? Arrays.copyOf(inverted, 32) : inverted;
    }

    private static Cipher use(Mode mode, byte[] inverted, Random random) throws Exception {
        Cipher c = mode.cipher();
        c.init(Cipher.ENCRYPT_MODE, key(mode, inverted), mode.spec(random));
        c.update(new byte[48]);
        return c;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void afterTheCipherIsCollected(Mode mode) throws Exception {
        Random random = new Random(100 * mode.ordinal() + 12);
        byte[] inverted = invertedKey(mode, random);
        Cipher c = use(mode, inverted, random);
        assertTrue(places(sought(mode, inverted)) > 0, "the search does not find a key that is in use");
        c.update(new byte[16]); // alive until here, in the midst of a message
        c = null;
        collected(sought(mode, inverted));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void afterAnotherKeyCame(Mode mode) throws Exception {
        Random random = new Random(100 * mode.ordinal() + 13);
        byte[] inverted = invertedKey(mode, random);
        Cipher c = use(mode, inverted, random);
        c.init(Cipher.ENCRYPT_MODE, mode.key(random), mode.spec(random));
        assertEquals(0, places(sought(mode, inverted)), "copies of a key that was replaced");
        c.update(new byte[48]);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void afterAKeyThatIsRefused(Mode mode) throws Exception {
        Random random = new Random(100 * mode.ordinal() + 17);
        byte[] inverted = invertedKey(mode, random);
        Cipher c = use(mode, inverted, random);
        assertThrows(InvalidKeyException.class, () -> c.init(Cipher.ENCRYPT_MODE, mode.key(new byte[7]), mode.spec(random)));
        assertEquals(0, places(sought(mode, inverted)), "copies of the key before the one that was refused");
        c.init(Cipher.ENCRYPT_MODE, mode.key(random), mode.spec(random)); // and the cipher was alive until here
    }

    /** A cipher that is made for one message does not wait for the collector. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void afterASingleMessage(Mode mode) throws Exception {
        Random random = new Random(100 * mode.ordinal() + 18);
        byte[] inverted = invertedKey(mode, random);
        Cipher c = use(mode, inverted, random);
        c.doFinal(new byte[5000]);
        assertEquals(0, places(sought(mode, inverted)), "copies of a key after its only message");
        c.init(Cipher.ENCRYPT_MODE, mode.key(random), mode.spec(random));
    }

    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void afterClose(Aead.Algorithm algorithm) throws Exception {
        Mode mode = Mode.valueOf(algorithm.name());
        byte[] inverted = invertedKey(mode, new Random(100 * mode.ordinal() + 14));
        Aead aead = new Aead(algorithm, key(mode, inverted));
        byte[][] nonces = { new byte[mode.nonceLength], new byte[mode.nonceLength] };
        byte[][] texts = { new byte[100], new byte[5000] };
        aead.sealMany(nonces, null, texts);
        assertTrue(places(inverted) > 0, "the search does not find a key that is in use");
        aead.close();
        assertEquals(0, places(inverted), "copies of a key whose owner was closed");
        assertThrows(IllegalStateException.class, () -> aead.sealMany(nonces, null, texts)); // and it was alive until here
    }

    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void afterAnAeadIsCollected(Aead.Algorithm algorithm) throws Exception {
        Mode mode = Mode.valueOf(algorithm.name());
        byte[] inverted = invertedKey(mode, new Random(100 * mode.ordinal() + 16));
        new Aead(algorithm, key(mode, inverted)).sealMany(new byte[1][mode.nonceLength], null, new byte[1][10]);
        collected(inverted);
    }

    /** The collector needs time, and the Cleaner behind it. */
    private static void collected(byte[] inverted) throws Exception {
        int left = 1;
        for (int i = 0; i < 50 && left > 0; i++) {
            System.gc();
            Thread.sleep(20);
            left = places(inverted);
        }
        assertEquals(0, left, "copies of a key that nobody has any more");
    }
}
