// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mode against {@link Reference} on calls drawn at random; the seeds are constant, so a failure comes again. */
class DifferentialTest {
    private static final int MESSAGES = 500;
    private static final int LONG = 700_000; // more than two pieces of 256 KiB

    private static int length(Random random) {
        int n = random.nextInt(100);
        if (n < 40)
            return random.nextInt(70);
        if (n < 60)
            return random.nextInt(300);
        if (n < 85)
            return random.nextInt(5000);
        if (n < 97)
            return random.nextInt(70_000);
        return random.nextInt(LONG);
    }

    private static AlgorithmParameterSpec spec(Mode mode, Random random) {
        switch (mode) {
            case AES_GCM: {
                int nonceLength = random.nextBoolean() ? 12 : 1 + random.nextInt(50);
                return new GCMParameterSpec(8 * (12 + random.nextInt(5)), Mode.bytes(random, nonceLength));
            }
            case CHACHA20:
                return new ChaCha20ParameterSpec(Mode.bytes(random, 12), random.nextInt() & 0x7fffffff);
            default:
                return mode.spec(random);
        }
    }

    /** Now and then the key that was used before: the same object, or an equal one. */
    private static SecretKey key(Mode mode, SecretKey previous, Random random) {
        if (previous == null)
            return mode.key(random);
        switch (random.nextInt(4)) {
            case 0:
                return previous;
            case 1:
                return mode.key(previous.getEncoded());
            default:
                return mode.key(random);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void randomCalls(Mode mode) throws GeneralSecurityException {
        Random random = new Random(mode.name().hashCode());
        Cipher encrypt = mode.cipher();
        Cipher decrypt = mode.cipher();
        SecretKey key = null;
        for (int i = 0; i < MESSAGES; i++) {
            byte[] text = Mode.bytes(random, mode.minLength + length(random));
            byte[] aad = mode.isAead() && random.nextBoolean() ? Mode.bytes(random, length(random) % 5000) : new byte[0];
            key = key(mode, key, random);
            AlgorithmParameterSpec spec = spec(mode, random);
            byte[] expected = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, spec, aad, text);
            String what = mode + ", message " + i + " of " + text.length + " bytes, AAD of " + aad.length;
            if (random.nextInt(20) == 0) { // a message that is given up half-way must leave no trace
                encrypt.init(Cipher.ENCRYPT_MODE, mode.key(random), spec(mode, random));
                encrypt.update(new byte[mode.minLength + 5]);
            }
            encrypt.init(Cipher.ENCRYPT_MODE, key, spec);
            assertArrayEquals(expected, crypt(mode, encrypt, aad, text, random), what);
            decrypt.init(Cipher.DECRYPT_MODE, key, spec);
            if (mode.isAead() && random.nextInt(4) == 0) { // and neither must a forged one
                byte[] forged = expected.clone();
                forged[random.nextInt(forged.length)] ^= (byte) (1 << random.nextInt(8));
                assertThrows(AEADBadTagException.class, () -> crypt(mode, decrypt, aad, forged, random), what);
            }
            assertArrayEquals(text, crypt(mode, decrypt, aad, expected, random), what + ", decrypted");
            if (random.nextInt(4) == 0) // decryption may go on under the same parameters
                assertArrayEquals(text, crypt(mode, decrypt, aad, expected, random), what + ", decrypted again");
        }
    }

    private static byte[] crypt(Mode mode, Cipher c, byte[] aad, byte[] text, Random random) throws GeneralSecurityException {
        return mode.isAead() ? Calls.crypt(c, aad, text, random) : Calls.crypt(c, text, random);
    }

    /** What input and output lie in: an array, a direct buffer, or an array of which the input is a read-only buffer. */
    private enum Place { ARRAY, DIRECT, READ_ONLY }

    /** One place for input and output at every small distance, and at lengths on both sides of every path. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyOverlap(Mode mode) throws GeneralSecurityException {
        for (Place place : Place.values())
            everyOverlap(mode, place);
    }

    private static void everyOverlap(Mode mode, Place place) throws GeneralSecurityException {
        Random random = new Random(1);
        SecretKey key = mode.key(random);
        Cipher c = mode.cipher();
        for (int length : new int[] { 16, 17, 100, 1023, 2047, 2048, 2049, 4097, 16_385, 262_144, 262_145, 524_300, 600_001 }) {
            byte[] text = Mode.bytes(random, length);
            AlgorithmParameterSpec spec = mode.spec(random);
            byte[] sealed = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, spec, new byte[0], text);
            int[] distances = length > 10_000 ? new int[] { -300, -17, -1, 0, 1, 16, 64, 255, 4096 }
                : IntStream.rangeClosed(-70, 70).toArray();
            for (int distance : distances) {
                for (boolean forward : new boolean[] { true, false }) {
                    byte[] in = forward ? text : sealed;
                    byte[] expected = forward ? sealed : text;
                    int size = in.length + expected.length + 4096 + 300;
                    ByteBuffer a = place == Place.DIRECT ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
                    a.put(300, in);
                    ByteBuffer from = a.slice(300, in.length);
                    // a nonce may be used for one encryption only, and the cipher sees to that
                    SecretKey mine = forward ? mode.key(key.getEncoded()) : key;
                    Cipher now = forward ? mode.cipher() : c;
                    now.init(forward ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, mine, spec);
                    int n = place == Place.ARRAY
                        ? now.doFinal(a.array(), 300, in.length, a.array(), 300 + distance)
                        : now.doFinal(place == Place.READ_ONLY ? from.asReadOnlyBuffer() : from,
                                      a.duplicate().position(300 + distance));
                    assertEquals(expected.length, n);
                    String what = mode + ", " + length + " bytes, output " + distance + " after input, encrypts: " + forward + ", "
                        + place;
                    byte[] got = new byte[n];
                    a.get(300 + distance, got);
                    // what the cipher was told, if that was right (it once seems not to have been)
                    assertArrayEquals(expected, got, () -> what + (place != Place.DIRECT ? "" : ", is ahead: "
                        + Context.isAhead(from, 0, from.capacity(), a, 300 + distance)));
                }
            }
        }
    }
}
