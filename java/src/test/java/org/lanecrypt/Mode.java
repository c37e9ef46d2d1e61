// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The ciphers under test, and what a test has to know to use any of them. Lengths in bytes. */
enum Mode {
    AES_GCM("AES/GCM/NoPadding", "AES", 16, 12, 0, 16, 24, 32),
    CHACHA20_POLY1305("ChaCha20-Poly1305", "ChaCha20", 16, 12, 0, 32),
    XCHACHA20_POLY1305("XChaCha20-Poly1305", "ChaCha20", 16, 24, 0, 32),
    AES_CTR("AES/CTR/NoPadding", "AES", 0, 16, 0, 16, 24, 32),
    AES_XTS("AES/XTS/NoPadding", "AES", 0, 16, 16, 32, 64),
    CHACHA20("ChaCha20", "ChaCha20", 0, 12, 0, 32);

    static final Provider PROVIDER = new LanecryptProvider();

    final String transformation;
    final String keyAlgorithm;
    final int tagLength;
    final int nonceLength;
    final int minLength;
    final int[] keyLengths;

    Mode(String transformation, String keyAlgorithm, int tagLength, int nonceLength, int minLength, int... keyLengths) {
        this.transformation = transformation;
        this.keyAlgorithm = keyAlgorithm;
        this.tagLength = tagLength;
        this.nonceLength = nonceLength;
        this.minLength = minLength;
        this.keyLengths = keyLengths;
    }

    boolean isAead() {
        return tagLength > 0;
    }

    /** Whether one nonce may not be used for two encryptions; the rest are modes of storage, or older than that idea. */
    boolean refusesReuse() {
        return isAead() || this == CHACHA20;
    }

    boolean accepts(int keyLength) {
        return IntStream.of(keyLengths).anyMatch(n -> n == keyLength);
    }

    Cipher cipher() throws GeneralSecurityException {
        return Cipher.getInstance(transformation, PROVIDER);
    }

    Cipher cipher(int opmode, SecretKey key, AlgorithmParameterSpec spec) throws GeneralSecurityException {
        Cipher c = cipher();
        c.init(opmode, key, spec);
        return c;
    }

    SecretKey key(byte[] raw) {
        return new SecretKeySpec(raw, keyAlgorithm);
    }

    SecretKey key(Random random) {
        return key(bytes(random, keyLengths[random.nextInt(keyLengths.length)]));
    }

    AlgorithmParameterSpec spec(byte[] nonce) {
        switch (this) {
            case AES_GCM:
                return new GCMParameterSpec(128, nonce);
            case CHACHA20:
                return new ChaCha20ParameterSpec(nonce, 1);
            default:
                return new IvParameterSpec(nonce);
        }
    }

    AlgorithmParameterSpec spec(Random random) {
        return spec(bytes(random, nonceLength));
    }

    static byte[] bytes(Random random, int length) {
        byte[] b = new byte[length];
        random.nextBytes(b);
        return b;
    }
}
