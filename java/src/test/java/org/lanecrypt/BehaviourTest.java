// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What JCA asks of a Cipher apart from the right bytes: states, exceptions and what they leave behind, parameters. */
class BehaviourTest {
    private static final int ENC = Cipher.ENCRYPT_MODE;
    private static final int DEC = Cipher.DECRYPT_MODE;
    private static final byte[] NONE = {};

    private final Random random = new Random(7);
    private final byte[] text = Mode.bytes(random, 100);

    private static final String A_NONCE = "nonce|IV";

    /** An exception whose message says what was wrong, in all of these words (regular expressions). */
    private static void refused(Class<? extends Throwable> type, Executable call, String... words) {
        Throwable e = assertThrows(type, call);
        for (String word : words) {
            Pattern pattern = Pattern.compile("\\b(" + word + ")\\b", Pattern.CASE_INSENSITIVE);
            assertTrue(pattern.matcher(String.valueOf(e.getMessage())).find(), () -> "\"" + word + "\" is missing in: " + e);
        }
    }

    private static byte[] sealed(Mode mode, SecretKey key, AlgorithmParameterSpec spec, byte[] text)
            throws GeneralSecurityException {
        return Reference.crypt(mode, ENC, key, spec, NONE, text);
    }

    // ---- reuse of a nonce ----

    @ParameterizedTest
    @EnumSource(Mode.class)
    void encryptAgainWithoutInit(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        byte[] first = c.doFinal(text);
        if (!mode.refusesReuse()) { // back to the first iv
            assertArrayEquals(first, c.doFinal(text));
            assertArrayEquals(first, c.doFinal(text));
            return;
        }
        refused(IllegalStateException.class, () -> c.doFinal(text), A_NONCE);
        refused(IllegalStateException.class, () -> c.update(text), A_NONCE);
        refused(IllegalStateException.class, () -> c.update(ByteBuffer.wrap(text), ByteBuffer.allocate(200)), A_NONCE);
        refused(IllegalStateException.class, () -> c.doFinal(), A_NONCE);
        if (mode.isAead())
            refused(IllegalStateException.class, () -> c.updateAAD(text), A_NONCE);
        AlgorithmParameterSpec fresh = mode.spec(random);
        c.init(ENC, key, fresh);
        assertArrayEquals(sealed(mode, key, fresh, text), c.doFinal(text));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void initWithTheSameKeyAndNonce(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        if (!mode.refusesReuse()) {
            c.init(ENC, key, spec);
            assertArrayEquals(sealed(mode, key, spec, text), c.doFinal(text));
            return;
        }
        // SunJCE's exceptions, which differ
        Class<? extends GeneralSecurityException> type =
            mode == Mode.AES_GCM ? InvalidAlgorithmParameterException.class : InvalidKeyException.class;
        refused(type, () -> c.init(ENC, key, spec), A_NONCE); // also if nothing was encrypted
        c.init(ENC, key, mode.spec(random));
        c.doFinal(text);
        AlgorithmParameterSpec second = mode.spec(random);
        c.init(ENC, key, second);
        c.doFinal(text);
        refused(type, () -> c.init(ENC, key, second), A_NONCE);
        refused(type, () -> c.init(ENC, mode.key(key.getEncoded()), second), A_NONCE); // an equal key is the same key
        SecretKey other = mode.key(Mode.bytes(random, key.getEncoded().length));
        c.init(ENC, other, second); // the nonce alone may repeat
        assertArrayEquals(sealed(mode, other, second, text), c.doFinal(text));
    }

    @Test
    void aRefusedInitDoesNotLetTheOldParametersBack() throws GeneralSecurityException {
        for (Mode mode : Mode.values()) {
            if (!mode.refusesReuse())
                continue;
            SecretKey key = mode.key(random);
            AlgorithmParameterSpec spec = mode.spec(random);
            Cipher c = mode.cipher(ENC, key, spec);
            c.doFinal(text);
            assertThrows(GeneralSecurityException.class, () -> c.init(ENC, key, spec));
            assertThrows(IllegalStateException.class, () -> c.doFinal(text), mode.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void decryptionMayRepeat(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        byte[] sealed = c.doFinal(text);
        c.init(DEC, key, spec); // what was just encrypted, by the same object
        assertArrayEquals(text, c.doFinal(sealed));
        assertArrayEquals(text, c.doFinal(sealed));
        assertArrayEquals(text, join(c.update(sealed), c.doFinal()));
        c.init(DEC, key, spec);
        assertArrayEquals(text, c.doFinal(sealed));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void decryptionDoesNotHideAReuse(Mode mode) throws GeneralSecurityException {
        if (!mode.refusesReuse())
            return;
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        byte[] sealed = c.doFinal(text);
        c.init(DEC, key, spec);
        c.doFinal(sealed);
        assertThrows(GeneralSecurityException.class, () -> c.init(ENC, key, spec));
    }

    private static byte[] join(byte[] a, byte[] b) {
        if (a == null)
            return b;
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    // ---- short output ----

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shortOutputChangesNothing(Mode mode) throws GeneralSecurityException {
        for (int opmode : new int[] { ENC, DEC }) {
            for (int length : new int[] { 100, 5000, 300_000 }) {
                SecretKey key = mode.key(random);
                AlgorithmParameterSpec spec = mode.spec(random);
                byte[] plain = Mode.bytes(random, length);
                byte[] sealed = sealed(mode, key, spec, plain);
                byte[] in = opmode == ENC ? plain : sealed;
                byte[] expected = opmode == ENC ? sealed : plain;
                Cipher c = mode.cipher(opmode, key, spec);
                int head = mode == Mode.AES_XTS ? 0 : 33;
                byte[] first = c.update(in, 0, head);
                int got = first == null ? 0 : first.length;
                int rest = expected.length - got;
                refused(ShortBufferException.class, () -> c.doFinal(in, head, in.length - head, new byte[rest - 1], 0),
                        String.valueOf(rest));
                byte[] offset = new byte[rest + 3];
                assertThrows(ShortBufferException.class, () -> c.doFinal(in, head, in.length - head, offset, 4));
                assertArrayEquals(new byte[rest + 3], offset, "a refused call has written");
                for (boolean direct : new boolean[] { false, true }) {
                    ByteBuffer from = (direct ? ByteBuffer.allocateDirect(in.length + 2) : ByteBuffer.allocate(in.length + 2));
                    from.position(2);
                    from.duplicate().put(in);
                    from.position(2 + head);
                    ByteBuffer to = direct ? ByteBuffer.allocateDirect(rest + 4) : ByteBuffer.allocate(rest + 4);
                    to.position(5);
                    assertThrows(ShortBufferException.class, () -> c.doFinal(from, to));
                    assertEquals(2 + head, from.position(), "the input buffer's position");
                    assertEquals(5, to.position(), "the output buffer's position");
                    assertArrayEquals(new byte[rest + 4], Calls.contents(to), "a refused call has written");
                }
                byte[] out = new byte[rest];
                assertEquals(rest, c.doFinal(in, head, in.length - head, out, 0));
                assertArrayEquals(expected, join(first, out), mode + ", " + length);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shortOutputOfUpdateChangesNothing(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        byte[] expected = sealed(mode, key, spec, text);
        byte[] out = new byte[expected.length];
        int n = 0;
        try { // what update gives out before the end is up to the cipher; if it needs room, it says so
            n = c.update(text, 0, 64, new byte[10], 0);
            assertTrue(n <= 10);
        } catch (ShortBufferException e) {
            n = c.update(text, 0, 64, out, 0);
        }
        n += c.doFinal(text, 64, 36, out, n);
        assertEquals(expected.length, n);
        assertArrayEquals(expected, out);
    }

    // ---- wrong tags ----

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "AES_GCM", "CHACHA20_POLY1305", "XCHACHA20_POLY1305" })
    void wrongTagGivesZerosAndNoPlaintext(Mode mode) throws GeneralSecurityException {
        for (int length : new int[] { 0, 1, 64, 100, 2048, 5000, 300_000 }) {
            SecretKey key = mode.key(random);
            AlgorithmParameterSpec spec = mode.spec(random);
            byte[] plain = Mode.bytes(random, length);
            byte[] sealed = sealed(mode, key, spec, plain);
            byte[] forged = sealed.clone();
            forged[forged.length - 1] ^= 1;
            Cipher c = mode.cipher(DEC, key, spec);

            assertThrows(AEADBadTagException.class, () -> c.doFinal(forged));

            byte[] out = Mode.bytes(random, length + 20);
            byte[] expected = out.clone();
            Arrays.fill(expected, 10, 10 + length, (byte) 0);
            assertThrows(AEADBadTagException.class, () -> c.doFinal(forged, 0, forged.length, out, 10));
            assertArrayEquals(expected, out, "output after a wrong tag");

            byte[] inPlace = forged.clone();
            assertThrows(AEADBadTagException.class, () -> c.doFinal(inPlace, 0, inPlace.length, inPlace, 0));
            assertArrayEquals(new byte[length], Arrays.copyOf(inPlace, length), "output in place after a wrong tag");

            assertThrows(AEADBadTagException.class, () -> {
                c.update(forged, 0, length / 2);
                c.doFinal(forged, length / 2, forged.length - length / 2);
            });

            for (boolean direct : new boolean[] { false, true }) {
                ByteBuffer from = direct ? ByteBuffer.allocateDirect(forged.length) : ByteBuffer.allocate(forged.length);
                from.put(forged).flip();
                ByteBuffer to = direct ? ByteBuffer.allocateDirect(length + 3) : ByteBuffer.allocate(length + 3);
                to.put(0, Mode.bytes(random, length)).position(3);
                byte[] head = Arrays.copyOf(Calls.contents(to), Math.min(3, length));
                assertThrows(AEADBadTagException.class, () -> c.doFinal(from, to));
                assertArrayEquals(new byte[length], Arrays.copyOfRange(Calls.contents(to), 3, 3 + length));
                assertArrayEquals(head, Arrays.copyOf(Calls.contents(to), head.length));
            }

            assertArrayEquals(plain, c.doFinal(sealed), "the good message after forged ones, without init");
            c.updateAAD(text);
            assertThrows(AEADBadTagException.class, () -> c.doFinal(sealed));
            assertArrayEquals(plain, c.doFinal(sealed), "AAD of a forged message must be forgotten");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "AES_GCM", "CHACHA20_POLY1305", "XCHACHA20_POLY1305" })
    void shorterThanATag(Mode mode) throws GeneralSecurityException {
        Cipher c = mode.cipher(DEC, mode.key(random), mode.spec(random));
        for (int length : new int[] { 0, 1, 15 }) {
            refused(AEADBadTagException.class, () -> c.doFinal(new byte[length]), String.valueOf(length), "16");
            refused(AEADBadTagException.class, () -> {
                c.update(new byte[length]);
                c.doFinal();
            }, String.valueOf(length), "16");
            refused(AEADBadTagException.class, () -> c.doFinal(ByteBuffer.allocateDirect(length), ByteBuffer.allocate(0)),
                    String.valueOf(length), "16");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "AES_GCM", "CHACHA20_POLY1305", "XCHACHA20_POLY1305" })
    void nothingComesOutBeforeTheTag(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        byte[] plain = Mode.bytes(random, 100_000);
        byte[] sealed = sealed(mode, key, spec, plain);
        Cipher c = mode.cipher(DEC, key, spec);
        byte[] out = Mode.bytes(random, plain.length);
        byte[] before = out.clone();
        byte[] got = c.update(sealed, 0, 1000);
        assertTrue(got == null || got.length == 0);
        assertEquals(0, c.update(sealed, 1000, 50_000, out, 0));
        ByteBuffer to = ByteBuffer.wrap(out);
        assertEquals(0, c.update(ByteBuffer.wrap(sealed, 51_000, 9000), to));
        assertEquals(0, to.position());
        assertArrayEquals(before, out, "update has written");
        Arrays.fill(sealed, 0, 60_000, (byte) 0); // the cipher has to have its own copy
        assertEquals(plain.length, c.doFinal(sealed, 60_000, sealed.length - 60_000, out, 0));
        assertArrayEquals(plain, out);
    }

    // ---- order of calls ----

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aadOnlyInFrontOfTheText(Mode mode) throws GeneralSecurityException {
        for (int opmode : new int[] { ENC, DEC }) {
            Cipher c = mode.cipher(opmode, mode.key(random), mode.spec(random));
            if (!mode.isAead()) {
                RuntimeException e = assertThrows(RuntimeException.class, () -> c.updateAAD(text));
                assertTrue(e instanceof UnsupportedOperationException || e instanceof IllegalStateException, e.toString());
                continue;
            }
            c.updateAAD(text);
            c.update(text);
            refused(IllegalStateException.class, () -> c.updateAAD(text), "AAD|associated data");
            refused(IllegalStateException.class, () -> c.updateAAD(ByteBuffer.wrap(text)), "AAD|associated data");
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void initForgetsWhatWasBegun(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        Cipher c = mode.cipher(ENC, key, mode.spec(random));
        if (mode.isAead())
            c.updateAAD(text);
        c.update(text, 0, 37);
        AlgorithmParameterSpec spec = mode.spec(random);
        c.init(ENC, key, spec);
        byte[] sealed = sealed(mode, key, spec, text);
        assertArrayEquals(sealed, c.doFinal(text));
        c.init(DEC, key, spec);
        c.update(sealed, 0, 50);
        c.init(DEC, key, spec);
        assertArrayEquals(text, c.doFinal(sealed));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void useWithoutInit(Mode mode) throws GeneralSecurityException {
        Cipher c = mode.cipher();
        assertThrows(IllegalStateException.class, () -> c.update(text));
        assertThrows(IllegalStateException.class, () -> c.doFinal(text));
        assertThrows(GeneralSecurityException.class, () -> c.init(ENC, mode.key(new byte[7]), mode.spec(random)));
        assertThrows(IllegalStateException.class, () -> c.doFinal(text));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aFailedInitLeavesNothingUsable(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        Cipher c = mode.cipher(ENC, key, mode.spec(random));
        assertThrows(InvalidKeyException.class, () -> c.init(ENC, mode.key(new byte[7]), mode.spec(random)));
        assertThrows(IllegalStateException.class, () -> c.doFinal(text));
        AlgorithmParameterSpec spec = mode.spec(random);
        c.init(ENC, key, spec);
        assertArrayEquals(sealed(mode, key, spec, text), c.doFinal(text));
    }

    // ---- buffers ----

    @ParameterizedTest
    @EnumSource(Mode.class)
    void decryptInOneBuffer(Mode mode) throws GeneralSecurityException {
        for (boolean direct : new boolean[] { false, true }) {
            SecretKey key = mode.key(random);
            AlgorithmParameterSpec spec = mode.spec(random);
            byte[] sealed = sealed(mode, key, spec, text);
            ByteBuffer b = direct ? ByteBuffer.allocateDirect(200) : ByteBuffer.allocate(200);
            b.position(12);
            b.duplicate().put(sealed);
            b.limit(12 + sealed.length);
            ByteBuffer out = b.duplicate();
            assertEquals(100, mode.cipher(DEC, key, spec).doFinal(b, out));
            assertEquals(b.limit(), b.position());
            assertEquals(112, out.position());
            byte[] got = new byte[100];
            out.get(12, got);
            assertArrayEquals(text, got);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void readOnlyOutput(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        Cipher c = mode.cipher(ENC, key, spec);
        ByteBuffer in = ByteBuffer.wrap(text);
        assertThrows(ReadOnlyBufferException.class, () -> c.update(in, ByteBuffer.allocate(200).asReadOnlyBuffer()));
        assertThrows(ReadOnlyBufferException.class, () -> c.doFinal(in, ByteBuffer.allocateDirect(200).asReadOnlyBuffer()));
        assertEquals(0, in.position());
        assertArrayEquals(sealed(mode, key, spec, text), c.doFinal(text));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void theSameBufferTwice(Mode mode) throws GeneralSecurityException {
        Cipher c = mode.cipher(ENC, mode.key(random), mode.spec(random));
        ByteBuffer b = ByteBuffer.allocate(200);
        assertThrows(IllegalArgumentException.class, () -> c.doFinal(b, b));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void emptyText(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        if (mode == Mode.AES_XTS) { // a data unit has a block at least
            Cipher c = mode.cipher(ENC, key, spec);
            for (int length : new int[] { 1, 15 })
                refused(IllegalBlockSizeException.class, () -> c.doFinal(new byte[length]), "16", String.valueOf(length));
            assertArrayEquals(sealed(mode, key, spec, text), c.doFinal(text));
            return;
        }
        byte[] expected = sealed(mode, key, spec, NONE);
        assertEquals(mode.tagLength, expected.length);
        assertArrayEquals(expected, mode.cipher(ENC, key, spec).doFinal());
        assertArrayEquals(expected, mode.cipher(ENC, key, spec).doFinal(NONE));
        ByteBuffer out = ByteBuffer.allocateDirect(expected.length);
        assertEquals(expected.length, mode.cipher(ENC, key, spec).doFinal(ByteBuffer.allocate(0), out));
        assertArrayEquals(expected, Calls.contents(out));
        assertArrayEquals(NONE, mode.cipher(DEC, key, spec).doFinal(expected));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void outputSize(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        AlgorithmParameterSpec spec = mode.spec(random);
        assertEquals(100 + mode.tagLength, mode.cipher(ENC, key, spec).getOutputSize(100));
        Cipher c = mode.cipher(DEC, key, spec);
        assertEquals(100 - mode.tagLength, c.getOutputSize(100));
        if (mode.isAead()) {
            assertEquals(0, c.getOutputSize(0));
            assertEquals(0, c.getOutputSize(15));
            c.update(new byte[50]);
            assertEquals(100 + 50 - 16, c.getOutputSize(100));
        }
    }

    @Test
    void blockSize() throws GeneralSecurityException {
        for (Mode mode : Mode.values())
            assertEquals(mode.keyAlgorithm.equals("AES") ? 16 : 0, mode.cipher().getBlockSize(), mode.name());
    }

    /** What belongs to the caller may change after the call. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void parametersAreCopied(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        byte[] nonce = Mode.bytes(random, mode.nonceLength);
        AlgorithmParameterSpec spec = mode.spec(nonce);
        Cipher c = mode.cipher(ENC, key, spec);
        Arrays.fill(nonce, (byte) 0);
        byte[] iv = c.getIV();
        assertEquals(mode.nonceLength, iv.length);
        Arrays.fill(iv, (byte) 0);
        assertFalse(Arrays.equals(iv, c.getIV()));
        assertArrayEquals(sealed(mode, key, spec, text), c.doFinal(text));
    }

    // ---- keys ----

    /** A key that isn't a SecretKeySpec: it may have no bytes to give, as one in a device, and can be destroyed. */
    private static final class Opaque implements SecretKey {
        private static final long serialVersionUID = 1;
        private final String algorithm;
        private final String format;
        private final byte[] encoded;
        private boolean destroyed;

        Opaque(String algorithm, String format, byte[] encoded) {
            this.algorithm = algorithm;
            this.format = format;
            this.encoded = encoded;
        }

        @Override
        public String getAlgorithm() {
            return algorithm;
        }

        @Override
        public String getFormat() {
            return format;
        }

        @Override
        public byte[] getEncoded() {
            return encoded == null ? null : encoded.clone();
        }

        @Override
        public void destroy() {
            destroyed = true;
        }

        @Override
        public boolean isDestroyed() {
            return destroyed;
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void wrongKeys(Mode mode) throws GeneralSecurityException {
        Cipher c = mode.cipher();
        AlgorithmParameterSpec spec = mode.spec(random);
        for (int length = 1; length <= 80; length++) {
            byte[] raw = Mode.bytes(random, length);
            int n = length;
            if (mode.accepts(length))
                c.init(DEC, mode.key(raw), spec);
            else
                refused(InvalidKeyException.class, () -> c.init(DEC, mode.key(raw), spec), String.valueOf(n));
        }
        refused(InvalidKeyException.class, () -> c.init(ENC, (Key) null, spec), "key");
        refused(InvalidKeyException.class, () -> c.init(ENC, new Opaque(mode.keyAlgorithm, null, null), spec), "key");
        byte[] raw = Mode.bytes(random, mode.keyLengths[0]);
        refused(InvalidKeyException.class, () -> c.init(ENC, new Opaque(mode.keyAlgorithm, "RAW", null), spec), "key");
        refused(InvalidKeyException.class, () -> c.init(ENC, new Opaque(mode.keyAlgorithm, "X.509", raw), spec), "X.509");
        Opaque good = new Opaque(mode.keyAlgorithm, "RAW", raw);
        c.init(ENC, good, spec);
        good.destroy();
        refused(InvalidKeyException.class, () -> c.init(ENC, good, mode.spec(random)), "destroyed");
        SecretKey foo = new SecretKeySpec(raw, "Foo");
        if (mode.keyAlgorithm.equals("AES"))
            refused(InvalidKeyException.class, () -> c.init(ENC, foo, spec), "Foo", "AES");
        else
            mode.cipher().init(ENC, foo, spec);
    }

    @Test
    void halvesOfAnXtsKeyHaveToDiffer() throws GeneralSecurityException {
        SecretKey zeros = Mode.AES_XTS.key(new byte[64]);
        refused(InvalidKeyException.class, () -> Mode.AES_XTS.cipher(ENC, zeros, Mode.AES_XTS.spec(random)), "halves");
    }

    @Test
    void namesThatFixTheKeyLength() throws GeneralSecurityException {
        for (int bits : new int[] { 128, 192, 256 }) {
            Cipher c = Cipher.getInstance("AES_" + bits + "/GCM/NoPadding", Mode.PROVIDER);
            for (int length : new int[] { 16, 24, 32 }) {
                SecretKey key = Mode.AES_GCM.key(Mode.bytes(random, length));
                AlgorithmParameterSpec spec = Mode.AES_GCM.spec(random);
                if (8 * length == bits) {
                    c.init(ENC, key, spec);
                    assertArrayEquals(sealed(Mode.AES_GCM, key, spec, text), c.doFinal(text));
                } else {
                    refused(InvalidKeyException.class, () -> c.init(ENC, key, spec), String.valueOf(length),
                            String.valueOf(bits / 8));
                }
            }
        }
    }

    // ---- parameters ----

    @Test
    void otherParameterClasses() throws GeneralSecurityException {
        byte[] twelve = Mode.bytes(random, 12);
        byte[] sixteen = Mode.bytes(random, 16);
        SecretKey aes = Mode.AES_GCM.key(Mode.bytes(random, 32));
        SecretKey chacha = Mode.CHACHA20.key(Mode.bytes(random, 32));
        // an IvParameterSpec means a tag of 16 bytes to GCM
        assertArrayEquals(sealed(Mode.AES_GCM, aes, new GCMParameterSpec(128, twelve), text),
                          Mode.AES_GCM.cipher(ENC, aes, new IvParameterSpec(twelve)).doFinal(text));
        for (AlgorithmParameterSpec spec : new AlgorithmParameterSpec[] { new ChaCha20ParameterSpec(twelve, 0),
                                                                          new PBEParameterSpec(twelve, 1) }) {
            String name = spec.getClass().getSimpleName();
            refused(InvalidAlgorithmParameterException.class, () -> Mode.AES_GCM.cipher(ENC, aes, spec), name);
            refused(InvalidAlgorithmParameterException.class, () -> Mode.CHACHA20_POLY1305.cipher(ENC, chacha, spec), name);
            refused(InvalidAlgorithmParameterException.class, () -> Mode.AES_CTR.cipher(ENC, aes, spec), name);
        }
        AlgorithmParameterSpec gcm = new GCMParameterSpec(128, sixteen);
        for (Mode mode : new Mode[] { Mode.CHACHA20_POLY1305, Mode.XCHACHA20_POLY1305, Mode.CHACHA20 })
            refused(InvalidAlgorithmParameterException.class, () -> mode.cipher(ENC, chacha, gcm), "GCMParameterSpec");
        refused(InvalidAlgorithmParameterException.class, () -> Mode.AES_CTR.cipher(ENC, aes, gcm), "GCMParameterSpec");
    }

    @Test
    void nonceLengths() throws GeneralSecurityException {
        for (Mode mode : Mode.values()) {
            for (int length : new int[] { 1, 8, 11, 12, 13, 15, 16, 17, 24, 25, 1000 }) {
                AlgorithmParameterSpec spec;
                try {
                    spec = mode.spec(Mode.bytes(random, length));
                } catch (IllegalArgumentException e) {
                    continue; // the JDK's class refuses it already
                }
                SecretKey key = mode.key(random);
                if (mode == Mode.AES_GCM || length == mode.nonceLength)
                    mode.cipher(DEC, key, spec);
                else
                    refused(InvalidAlgorithmParameterException.class, () -> mode.cipher(DEC, key, spec), String.valueOf(length),
                            String.valueOf(mode.nonceLength));
            }
        }
    }

    @Test
    void gcmTagLengths() throws GeneralSecurityException {
        for (int bits = 0; bits <= 136; bits++) {
            SecretKey key = Mode.AES_GCM.key(random);
            AlgorithmParameterSpec spec = new GCMParameterSpec(bits, Mode.bytes(random, 12));
            if (bits >= 96 && bits <= 128 && bits % 8 == 0)
                assertArrayEquals(sealed(Mode.AES_GCM, key, spec, text), Mode.AES_GCM.cipher(ENC, key, spec).doFinal(text));
            else
                refused(InvalidAlgorithmParameterException.class, () -> Mode.AES_GCM.cipher(ENC, key, spec), "tag",
                        String.valueOf(bits));
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void encryptionMakesItsOwnNonce(Mode mode) throws GeneralSecurityException {
        SecretKey key = mode.key(random);
        Cipher c = mode.cipher();
        c.init(ENC, key);
        byte[] first = c.getIV();
        assertEquals(mode.nonceLength, first.length);
        assertArrayEquals(sealed(mode, key, mode.spec(first), text), c.doFinal(text));
        c.init(ENC, key, new SecureRandom());
        assertFalse(Arrays.equals(first, c.getIV()), "the same nonce twice");
        c.init(ENC, key, (AlgorithmParameterSpec) null);
        assertEquals(mode.nonceLength, c.getIV().length);
        refused(InvalidKeyException.class, () -> mode.cipher().init(DEC, key), "parameters");
    }

    @Test
    void nonceComesFromTheGivenSource() throws GeneralSecurityException {
        for (Mode mode : Mode.values()) {
            Cipher c = mode.cipher();
            c.init(ENC, mode.key(random), new SecureRandom() {
                private static final long serialVersionUID = 1;

                @Override
                public void nextBytes(byte[] b) {
                    Arrays.fill(b, (byte) 0x5a);
                }
            });
            byte[] expected = new byte[mode.nonceLength];
            Arrays.fill(expected, (byte) 0x5a);
            assertArrayEquals(expected, c.getIV(), mode.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void parametersThereAndBack(Mode mode) throws Exception {
        SecretKey key = mode.key(random);
        Cipher c = mode.cipher(ENC, key, mode.spec(random));
        AlgorithmParameters p = c.getParameters();
        byte[] sealed = c.doFinal(text);
        if (mode == Mode.CHACHA20) {
            assertNull(p); // there is no standard for them
            return;
        }
        assertNotNull(p);
        if (mode != Mode.XCHACHA20_POLY1305) { // which has none in the JDK; see ServicesTest
            String name = mode == Mode.AES_GCM ? "GCM" : mode.keyAlgorithm.equals("AES") ? "AES" : mode.transformation;
            assertEquals(name, p.getAlgorithm());
            AlgorithmParameters sun = AlgorithmParameters.getInstance(name, "SunJCE");
            sun.init(mode == Mode.AES_GCM ? new GCMParameterSpec(128, c.getIV()) : new IvParameterSpec(c.getIV()));
            assertArrayEquals(sun.getEncoded(), p.getEncoded(), "DER");
        }
        Cipher d = mode.cipher();
        d.init(DEC, key, p);
        assertArrayEquals(text, d.doFinal(sealed));
        assertArrayEquals(c.getIV(), d.getIV());
    }

    /** Also of a cipher that has been given no nonce yet: JSSE's and CMS' way to learn of the one that it makes. */
    @Test
    void gcmParametersKeepTheTagLength() throws Exception {
        Cipher c = Mode.AES_GCM.cipher(ENC, Mode.AES_GCM.key(random), new GCMParameterSpec(104, Mode.bytes(random, 12)));
        assertEquals(104, c.getParameters().getParameterSpec(GCMParameterSpec.class).getTLen());
    }

    // ---- the rest ----

    @Test
    void modesAndPaddingsThatAreNotThere() {
        for (String name : new String[] { "AES/CBC/NoPadding", "AES/GCM/PKCS5Padding", "AES/CTR/PKCS5Padding", "AES",
                                          "AES_128/CTR/NoPadding", "ChaCha20/CTR/NoPadding" }) {
            Exception e = assertThrows(GeneralSecurityException.class, () -> Cipher.getInstance(name, Mode.PROVIDER));
            assertTrue(e instanceof NoSuchAlgorithmException || e instanceof NoSuchPaddingException, e.toString());
        }
    }

    @Test
    void wrapAKey() throws GeneralSecurityException {
        SecretKey inner = new SecretKeySpec(Mode.bytes(random, 32), "AES");
        for (Mode mode : new Mode[] { Mode.AES_GCM, Mode.AES_CTR }) {
            SecretKey outer = mode.key(random);
            AlgorithmParameterSpec spec = mode.spec(random);
            byte[] wrapped = mode.cipher(Cipher.WRAP_MODE, outer, spec).wrap(inner);
            assertArrayEquals(sealed(mode, outer, spec, inner.getEncoded()), wrapped);
            Key back = mode.cipher(Cipher.UNWRAP_MODE, outer, spec).unwrap(wrapped, "AES", Cipher.SECRET_KEY);
            assertEquals(inner, back);
        }
        SecretKey outer = Mode.AES_GCM.key(random);
        AlgorithmParameterSpec spec = Mode.AES_GCM.spec(random);
        byte[] wrapped = Mode.AES_GCM.cipher(Cipher.WRAP_MODE, outer, spec).wrap(inner);
        wrapped[0] ^= 1;
        assertThrows(InvalidKeyException.class,
                     () -> Mode.AES_GCM.cipher(Cipher.UNWRAP_MODE, outer, spec).unwrap(wrapped, "AES", Cipher.SECRET_KEY));
        for (Mode mode : new Mode[] { Mode.CHACHA20_POLY1305, Mode.XCHACHA20_POLY1305, Mode.CHACHA20, Mode.AES_XTS })
            assertThrows(UnsupportedOperationException.class,
                         () -> mode.cipher(Cipher.WRAP_MODE, mode.key(random), mode.spec(random)), mode.name());
    }

    /** Key stream of ChaCha20 ends with block 2^32 - 1. */
    @Test
    void chacha20AtTheEndOfItsCounter() throws GeneralSecurityException {
        SecretKey key = Mode.CHACHA20.key(random);
        byte[] nonce = Mode.bytes(random, 12);
        Cipher c = Mode.CHACHA20.cipher(ENC, key, new ChaCha20ParameterSpec(nonce, -1));
        byte[] out = new byte[64];
        RuntimeException e = assertThrows(RuntimeException.class, () -> c.update(new byte[65], 0, 65, new byte[65], 0));
        assertTrue(String.valueOf(e.getMessage()).contains("counter"), e.toString());
        assertEquals(64, c.doFinal(new byte[64], 0, 64, out, 0)); // a refused call has done nothing
        assertFalse(Arrays.equals(new byte[64], out));
    }

    /** CTR's counter is all of the iv and wraps around. */
    @Test
    void ctrWraps() throws GeneralSecurityException {
        SecretKey key = Mode.AES_CTR.key(random);
        for (int ff = 1; ff <= 16; ff++) {
            byte[] iv = new byte[16];
            Arrays.fill(iv, 16 - ff, 16, (byte) 0xff);
            AlgorithmParameterSpec spec = new IvParameterSpec(iv);
            assertArrayEquals(sealed(Mode.AES_CTR, key, spec, text), Mode.AES_CTR.cipher(ENC, key, spec).doFinal(text));
        }
    }

    /** In the steady state, with byte arrays, a message leaves nothing to collect. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void noGarbage(Mode mode) throws GeneralSecurityException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int length : new int[] { 64, 16_384 }) {
            SecretKey key = mode.key(random);
            AlgorithmParameterSpec spec = mode.spec(random);
            byte[] sealed = sealed(mode, key, spec, Mode.bytes(random, length));
            byte[] out = new byte[length];
            Cipher c = mode.cipher(DEC, key, spec);
            long allocated = 0;
            int calls = 5000;
            for (int round = 0; round < 4; round++) { // the last is after all that happens only once
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < calls; i++)
                    c.doFinal(sealed, 0, sealed.length, out, 0);
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertTrue(allocated < calls, mode + ", " + length + " bytes: " + (double) allocated / calls + " bytes a call");
        }
    }
}
