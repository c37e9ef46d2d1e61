// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.PBEParameterSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a Cipher makes of one key after another, and which nonces it refuses then. */
class KeyTest {
    private static final int ENC = Cipher.ENCRYPT_MODE;
    private static final int DEC = Cipher.DECRYPT_MODE;
    private static final byte[] NONE = {};

    private final Random random = new Random(27);
    private final byte[] text = Mode.bytes(random, 100);

    /** A key whose bytes change, and can be destroyed. */
    private static final class Changeable implements SecretKey {
        private static final long serialVersionUID = 1;
        private final String algorithm;
        private byte[] raw;

        Changeable(Mode mode, byte[] raw) {
            algorithm = mode.keyAlgorithm;
            this.raw = raw.clone();
        }

        void set(byte[] newRaw) {
            raw = newRaw.clone();
        }

        @Override
        public String getAlgorithm() {
            return algorithm;
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            if (raw == null)
                throw new IllegalStateException("destroyed");
            return raw.clone();
        }

        @Override
        public void destroy() {
            raw = null;
        }

        @Override
        public boolean isDestroyed() {
            return raw == null;
        }
    }

    private byte[] sealed(Mode mode, byte[] raw, AlgorithmParameterSpec spec) throws GeneralSecurityException {
        return Reference.crypt(mode, ENC, mode.key(raw), spec, NONE, text);
    }

    private void check(Mode mode, Cipher c, Key key, byte[] raw, String what) throws GeneralSecurityException {
        AlgorithmParameterSpec spec = mode.spec(random);
        c.init(ENC, key, spec);
        assertArrayEquals(sealed(mode, raw, spec), c.doFinal(text), what);
    }

    /** Every bit of a key counts when it is set anew, also on the way back. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyBitOfANewKey(Mode mode) throws GeneralSecurityException {
        for (int length : mode.keyLengths) {
            byte[] raw = Mode.bytes(random, length);
            SecretKey key = mode.key(raw);
            Cipher c = mode.cipher();
            check(mode, c, key, raw, mode + ": first");
            check(mode, c, key, raw, mode + ": the same");
            for (int bit = 0; bit < 8 * length; bit++) {
                byte[] flipped = raw.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                String what = mode + ", key of " + length + " bytes, bit " + bit;
                check(mode, c, mode.key(flipped), flipped, what);
                check(mode, c, mode.key(raw), raw, what + ", flipped back");
                if (bit % 3 == 0) // now and then keys of two messages, as those are kept
                    check(mode, c, mode.key(raw), raw, what + ", again");
            }
        }
    }

    /** The same object isn't the same key. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void aKeyObjectWithOtherBytes(Mode mode) throws GeneralSecurityException {
        for (int length : mode.keyLengths) {
            byte[] raw = Mode.bytes(random, length);
            Changeable key = new Changeable(mode, raw);
            Cipher c = mode.cipher();
            check(mode, c, key, raw, "first");
            check(mode, c, key, raw, "the same bytes");
            for (int bit = 0; bit < 8 * length; bit += 7) {
                raw[bit / 8] ^= (byte) (1 << bit % 8);
                key.set(raw);
                check(mode, c, key, raw, mode + ", bit " + bit);
            }
        }
    }

    /** Without init a cipher goes on with the key of the last init, or not at all. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void bytesThatChangeBetweenMessages(Mode mode) throws GeneralSecurityException {
        byte[] raw = Mode.bytes(random, mode.keyLengths[0]);
        Changeable key = new Changeable(mode, raw);
        AlgorithmParameterSpec spec = mode.spec(random);
        byte[] sealed = sealed(mode, raw, spec);
        Cipher c = mode.cipher(DEC, key, spec);
        assertArrayEquals(text, c.doFinal(sealed));
        key.set(Mode.bytes(random, raw.length));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> c.doFinal(sealed));
        assertTrue(e.getMessage().contains("key"), e.toString());
        key.set(raw);
        assertArrayEquals(text, c.doFinal(sealed));
    }

    /** The nonce of the last encryption is known after its key is gone. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void aDestroyedKey(Mode mode) throws GeneralSecurityException {
        if (!mode.refusesReuse())
            return;
        Class<? extends Exception> type = refusal(mode);
        for (int messages = 1; messages < 4; messages++) {
            byte[] raw = Mode.bytes(random, mode.keyLengths[0]);
            Changeable key = new Changeable(mode, raw);
            Cipher c = mode.cipher();
            AlgorithmParameterSpec spec = null;
            for (int i = 0; i < messages; i++) {
                spec = mode.spec(random);
                c.init(ENC, key, spec);
                c.doFinal(text);
            }
            key.destroy();
            AlgorithmParameterSpec used = spec;
            assertThrows(type, () -> c.init(ENC, mode.key(raw), used), mode + ", " + messages);
            assertThrows(InvalidKeyException.class, () -> c.init(ENC, key, mode.spec(random)));
            assertThrows(type, () -> c.init(ENC, new Changeable(mode, raw), used), mode + ", " + messages);
        }
    }

    private static Class<? extends Exception> refusal(Mode mode) {
        return mode == Mode.AES_GCM ? InvalidAlgorithmParameterException.class : InvalidKeyException.class;
    }

    private enum Outcome { DONE, REFUSED, OTHER }

    /** Whatever comes before: an encryption that SunJCE refuses for its nonce is refused here. */
    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "AES_GCM", "CHACHA20_POLY1305", "CHACHA20" })
    void noncesThatSunRefuses(Mode mode) throws GeneralSecurityException {
        byte[][] raws = { Mode.bytes(random, 32), Mode.bytes(random, 32) };
        byte[][] nonces = { Mode.bytes(random, 12), Mode.bytes(random, 12) };
        int refusals = 0;
        for (int round = 0; round < 3000; round++) {
            Cipher ours = mode.cipher();
            Cipher suns = Cipher.getInstance(mode.transformation, "SunJCE");
            StringBuilder steps = new StringBuilder();
            for (int step = 0; step < 6; step++) {
                int which = random.nextInt(8);
                int opmode = random.nextInt(3) == 0 ? DEC : ENC;
                int raw = random.nextInt(2);
                int nonce = random.nextInt(2);
                boolean finishes = random.nextBoolean();
                boolean destroys = random.nextBoolean();
                steps.append(" [").append(which).append(' ').append(opmode == ENC ? "encrypts, key " : "decrypts, key ").append(raw)
                    .append(", nonce ").append(nonce).append(finishes ? ", doFinal" : "").append(destroys ? ", destroy]" : "]");
                Outcome[] outcomes = new Outcome[2];
                for (int i = 0; i < 2; i++) {
                    Cipher c = i == 0 ? ours : suns;
                    Changeable key = new Changeable(mode, which == 0 ? new byte[5] : raws[raw]);
                    if (which == 1)
                        key.destroy();
                    AlgorithmParameterSpec spec = which == 2 ? new PBEParameterSpec(new byte[8], 1) : mode.spec(nonces[nonce]);
                    outcomes[i] = outcome(mode, c, opmode, which == 3 ? null : key, spec, finishes);
                    if (destroys)
                        key.destroy();
                }
                if (opmode == ENC && which > 3 && outcomes[1] == Outcome.REFUSED) {
                    refusals++;
                    assertEquals(Outcome.REFUSED, outcomes[0], mode + ":" + steps);
                }
            }
        }
        assertTrue(refusals > 500, "only " + refusals + " refusals");
    }

    private Outcome outcome(Mode mode, Cipher c, int opmode, Key key, AlgorithmParameterSpec spec, boolean finishes) {
        try {
            c.init(opmode, key, spec);
        } catch (GeneralSecurityException | RuntimeException e) {
            return refusal(mode).isInstance(e) ? Outcome.REFUSED : Outcome.OTHER;
        }
        if (finishes) {
            try {
                c.doFinal(opmode == ENC ? text : Arrays.copyOf(text, 40));
            } catch (GeneralSecurityException e) {
                return Outcome.DONE; // a wrong tag
            }
        }
        return Outcome.DONE;
    }
}
