// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Random keys. */
final class SecretKeyGenerator extends KeyGeneratorSpi {
    private final String algorithm;
    private final int[] lengths; // in bytes; the last is the default
    private int length;
    private SecureRandom random;

    SecretKeyGenerator(String algorithm, int... lengths) {
        this.algorithm = algorithm;
        this.lengths = lengths;
        length = lengths[lengths.length - 1];
    }

    @Override
    protected void engineInit(SecureRandom newRandom) {
        random = newRandom;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec params, SecureRandom newRandom) throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("keys for " + algorithm + " are generated without parameters");
    }

    @Override
    protected void engineInit(int bits, SecureRandom newRandom) {
        boolean fits = false;
        for (int l : lengths)
            fits |= 8 * l == bits;
        if (!fits)
            throw new InvalidParameterException("unsupported key length: " + bits + " bits; " + algorithm
                    + (lengths.length == 1 ? " takes 256" : " takes 128, 192 or 256"));
        length = bits / 8;
        random = newRandom;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        byte[] raw = NativeCipher.randomBytes(length, random);
        try {
            return new SecretKeySpec(raw, algorithm);
        } finally {
            Arrays.fill(raw, (byte) 0);
        }
    }
}
