// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many messages in one call. */
class AeadTest {
    private final Random random = new Random(15);

    private static Mode mode(Aead.Algorithm algorithm) {
        return Mode.valueOf(algorithm.name());
    }

    /** Messages with what belongs to them, and what they have to become. */
    private static final class Batch {
        final byte[][] nonces;
        final byte[][] aads; // or null
        final byte[][] texts;
        final byte[][] sealed;

        Batch(Mode mode, SecretKey key, int count, boolean hasAads, int maxLength, Random random) throws GeneralSecurityException {
            nonces = new byte[count][];
            aads = hasAads ? new byte[count][] : null;
            texts = new byte[count][];
            sealed = new byte[count][];
            for (int i = 0; i < count; i++) {
                nonces[i] = Mode.bytes(random, mode.nonceLength);
                texts[i] = Mode.bytes(random, random.nextInt(random.nextInt(10) == 0 ? maxLength : 300));
                if (hasAads)
                    aads[i] = Mode.bytes(random, random.nextInt(random.nextInt(10) == 0 ? 2000 : 40));
                sealed[i] = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, mode.spec(nonces[i]),
                                            hasAads ? aads[i] : new byte[0], texts[i]);
            }
        }
    }

    private static byte[][] copy(byte[][] arrays) {
        return arrays == null ? null : Arrays.stream(arrays).map(byte[]::clone).toArray(byte[][]::new);
    }

    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void sealAndOpen(Aead.Algorithm algorithm) throws GeneralSecurityException {
        Mode mode = mode(algorithm);
        assertEquals(mode.nonceLength, algorithm.nonceLen());
        for (int keyLength : mode.keyLengths) {
            SecretKey key = mode.key(Mode.bytes(random, keyLength));
            try (Aead aead = new Aead(algorithm, key)) {
                for (int count : new int[] { 0, 1, 2, 3, 7, 8, 9, 40, 500 }) {
                    for (boolean hasAads : new boolean[] { false, true }) {
                        Batch b = new Batch(mode, key, count, hasAads, 20_000, random);
                        byte[][][] before = { copy(b.nonces), copy(b.aads), copy(b.texts), copy(b.sealed) };
                        byte[][][] arguments = { b.nonces, b.aads, b.texts, b.sealed };
                        assertArrayEquals(b.sealed, aead.sealMany(b.nonces, b.aads, b.texts));
                        assertArrayEquals(b.texts, aead.openMany(b.nonces, b.aads, b.sealed));
                        assertArrayEquals(before, arguments, "an argument was changed");
                    }
                }
            }
        }
    }

    /** Every length up to where messages are too long for a batch, and a few beyond. */
    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void everyLength(Aead.Algorithm algorithm) throws GeneralSecurityException {
        Mode mode = mode(algorithm);
        SecretKey key = mode.key(random);
        byte[][] nonces = new byte[2400][];
        byte[][] texts = new byte[nonces.length][];
        byte[][] expected = new byte[nonces.length][];
        for (int i = 0; i < nonces.length; i++) {
            nonces[i] = Mode.bytes(random, mode.nonceLength);
            texts[i] = Mode.bytes(random, i < 2300 ? i : 300_000 + i);
            expected[i] = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, mode.spec(nonces[i]), new byte[0], texts[i]);
        }
        try (Aead aead = new Aead(algorithm, key)) {
            assertArrayEquals(expected, aead.sealMany(nonces, null, texts));
            assertArrayEquals(texts, aead.openMany(nonces, null, expected));
        }
    }

    /** A forged message is null, and those around it are not affected. */
    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void forgedMessages(Aead.Algorithm algorithm) throws GeneralSecurityException {
        Mode mode = mode(algorithm);
        SecretKey key = mode.key(random);
        try (Aead aead = new Aead(algorithm, key)) {
            for (int round = 0; round < 30; round++) {
                Batch b = new Batch(mode, key, 1 + random.nextInt(60), true, 10_000, random);
                byte[][] expected = copy(b.texts);
                for (int i = 0; i < expected.length; i++) {
                    byte[] changed = null;
                    switch (random.nextInt(8)) {
                        case 0:
                            changed = b.sealed[i];
                            break;
                        case 1:
                            changed = b.nonces[i];
                            break;
                        case 2:
                            changed = b.aads[i];
                            break;
                        case 3: // too short for a tag, or just too short
                            b.sealed[i] = Arrays.copyOf(b.sealed[i], random.nextInt(b.sealed[i].length));
                            expected[i] = null;
                            break;
                        default:
                            break;
                    }
                    if (changed != null && changed.length > 0) {
                        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                        expected[i] = null;
                    }
                }
                byte[][] got = aead.openMany(b.nonces, b.aads, b.sealed);
                for (int i = 0; i < expected.length; i++) {
                    if (expected[i] == null)
                        assertNull(got[i], "message " + i + " was forged");
                    else
                        assertArrayEquals(expected[i], got[i]);
                }
            }
        }
    }

    private static void refused(Class<? extends Throwable> type, Executable call, String... words) {
        Throwable e = assertThrows(type, call);
        for (String word : words)
            assertTrue(String.valueOf(e.getMessage()).contains(word), () -> "\"" + word + "\" is missing in: " + e);
    }

    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void badArguments(Aead.Algorithm algorithm) throws GeneralSecurityException {
        Mode mode = mode(algorithm);
        SecretKey key = mode.key(random);
        try (Aead aead = new Aead(algorithm, key)) {
            byte[] nonce = Mode.bytes(random, mode.nonceLength);
            byte[][] nonces = { nonce, nonce };
            byte[][] texts = { new byte[20], new byte[20] };
            byte[][] one = { new byte[20] };
            refused(IllegalArgumentException.class, () -> aead.sealMany(nonces, null, one), "1", "2");
            refused(IllegalArgumentException.class, () -> aead.openMany(nonces, one, texts), "1", "2");
            for (int length : new int[] { 0, 8, 11, 13, 16, 25 }) {
                byte[][] bad = { nonce, new byte[length] };
                refused(IllegalArgumentException.class, () -> aead.sealMany(bad, null, texts), "nonce 1", String.valueOf(length),
                        String.valueOf(mode.nonceLength));
                refused(IllegalArgumentException.class, () -> aead.openMany(bad, null, texts), "nonce 1", String.valueOf(length));
            }
            assertThrows(NullPointerException.class, () -> aead.sealMany(nonces, null, new byte[][] { new byte[1], null }));
            assertThrows(NullPointerException.class, () -> aead.sealMany(new byte[][] { nonce, null }, null, texts));
            assertThrows(NullPointerException.class, () -> aead.sealMany(nonces, new byte[][] { null, new byte[1] }, texts));
            assertThrows(NullPointerException.class, () -> aead.sealMany(null, null, texts));
            assertThrows(NullPointerException.class, () -> aead.openMany(nonces, null, null));
            Batch b = new Batch(mode, key, 5, true, 100, random); // all of that has left no trace
            assertArrayEquals(b.sealed, aead.sealMany(b.nonces, b.aads, b.texts));
        }
    }

    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void badKeys(Aead.Algorithm algorithm) {
        Mode mode = mode(algorithm);
        for (int length = 1; length <= 40; length++) {
            SecretKey key = mode.key(new byte[length]);
            if (!mode.accepts(length))
                refused(InvalidKeyException.class, () -> new Aead(algorithm, key), String.valueOf(length));
        }
        refused(InvalidKeyException.class, () -> new Aead(algorithm, null), "key");
        if (mode == Mode.AES_GCM)
            refused(InvalidKeyException.class, () -> new Aead(algorithm, new SecretKeySpec(new byte[16], "Foo")), "Foo", "AES");
    }

    /** The child: a thread puts other arrays into the arguments while another one's calls are going on. */
    static final class Changing {
        public static void main(String[] arguments) throws Exception {
            Random random = new Random(16);
            for (Aead.Algorithm algorithm : Aead.Algorithm.values()) {
                Mode mode = mode(algorithm);
                byte[][][] choices = { { new byte[mode.nonceLength], new byte[200] },
                                       { new byte[10], new byte[400], new byte[2000] },
                                       { new byte[10], new byte[500], new byte[3000] } };
                byte[][] nonces = new byte[8][mode.nonceLength];
                byte[][] aads = new byte[8][10];
                byte[][] texts = new byte[8][3000];
                Thread changer = new Thread(() -> {
                    for (int i = 0; !Thread.interrupted(); i = (i + 1) % 24) {
                        nonces[i % 8] = choices[0][i % 3 / 2]; // mostly a good one
                        aads[i % 8] = choices[1][i % 3];
                        texts[i % 8] = choices[2][i / 8 % 3];
                        nonces[i % 8] = choices[0][0];
                    }
                });
                changer.start();
                int done = 0;
                try (Aead aead = new Aead(algorithm, mode.key(random))) {
                    for (long end = System.currentTimeMillis() + 700; System.currentTimeMillis() < end;) {
                        try {
                            aead.sealMany(nonces, aads, texts);
                            aead.openMany(nonces, aads, texts);
                            done++;
                        } catch (IllegalArgumentException e) {
                            continue; // seen with the bad nonce
                        }
                    }
                }
                changer.interrupt();
                changer.join();
                System.out.println(algorithm + " done: " + (done > 0));
            }
        }
    }

    @Test
    void argumentsThatChangeMeanwhile() throws Exception {
        Child child = Child.run(Child.command(List.of(), Changing.class.getName()));
        assertEquals(0, child.status, child::toString);
        for (Aead.Algorithm algorithm : Aead.Algorithm.values())
            assertTrue(child.output.contains(algorithm + " done: true"), child::toString);
    }

    @Test
    void afterClose() throws GeneralSecurityException {
        Aead aead = new Aead(Aead.Algorithm.AES_GCM, Mode.AES_GCM.key(random));
        aead.close();
        aead.close();
        byte[][] nonces = { new byte[12] };
        refused(IllegalStateException.class, () -> aead.sealMany(nonces, null, new byte[1][5]), "closed");
        refused(IllegalStateException.class, () -> aead.openMany(nonces, null, new byte[1][50]), "closed");
    }

    /** One object in many threads, closed under their hands at the end. */
    @ParameterizedTest
    @EnumSource(Aead.Algorithm.class)
    void oneObjectInManyThreads(Aead.Algorithm algorithm) throws Exception {
        Mode mode = mode(algorithm);
        SecretKey key = mode.key(random);
        Aead aead = new Aead(algorithm, key);
        Batch b = new Batch(mode, key, 50, true, 5000, random);
        Future<?>[] all = new Future<?>[8];
        ExecutorService pool = Executors.newFixedThreadPool(all.length);
        for (int i = 0; i < all.length; i++) {
            all[i] = pool.submit(() -> {
                while (true) {
                    try {
                        assertArrayEquals(b.sealed, aead.sealMany(b.nonces, b.aads, b.texts));
                        assertArrayEquals(b.texts, aead.openMany(b.nonces, b.aads, b.sealed));
                    } catch (IllegalStateException e) {
                        assertTrue(e.getMessage().contains("closed"), e.toString());
                        return;
                    }
                }
            });
        }
        TimeUnit.MILLISECONDS.sleep(300);
        aead.close();
        for (Future<?> f : all)
            f.get(60, TimeUnit.SECONDS);
        pool.shutdown();
    }
}
