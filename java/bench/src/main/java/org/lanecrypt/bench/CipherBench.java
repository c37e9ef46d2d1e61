// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One message an operation, as a program has to do it that never uses a nonce twice: init with the next nonce, then doFinal from
 * one array into another. Two nonces in turn are enough, as providers compare with the last one only; they are made before the
 * clock starts, so that all bytes that are allocated per operation are the provider's and those of JCA itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public abstract class CipherBench {
    @Param({"64", "256", "1024", "4096", "16384"})
    int bytes;

    // JMH sorts parameters by name, and runs through the last one fastest: forks of two providers take turns.
    @Param({"SunJCE", "Lanecrypt"})
    String provider;

    private final AlgorithmParameterSpec[] specs = new AlgorithmParameterSpec[2];
    private final byte[][] sealed = new byte[2][];
    private SecretKeySpec key;
    private Provider measured;
    private Cipher encryption;
    private Cipher decryption;
    private byte[] plain;
    private byte[] out;
    private int turn;

    abstract String transformation();

    abstract int keyBits();

    @Setup
    public void setUp() throws GeneralSecurityException, ReflectiveOperationException {
        byte[] rawKey = new byte[keyBits() / 8];
        plain = new byte[bytes];
        Random random = new Random(1);
        random.nextBytes(rawKey);
        random.nextBytes(plain);
        key = new SecretKeySpec(rawKey, transformation().startsWith("AES") ? "AES" : "ChaCha20");
        out = new byte[bytes + 16];

        measured = Providers.load(provider);
        encryption = Cipher.getInstance(transformation(), measured);
        decryption = Cipher.getInstance(transformation(), measured);
        Cipher reference = Cipher.getInstance(transformation(), "SunJCE");
        for (int i = 0; i < 2; i++) {
            byte[] nonce = new byte[Providers.nonceLength(transformation())];
            nonce[0] = (byte) i;
            specs[i] = Providers.spec(provider, transformation(), nonce);
            reference.init(Cipher.ENCRYPT_MODE, key, Providers.spec("SunJCE", transformation(), nonce));
            sealed[i] = reference.doFinal(plain);
        }
        // What is measured has to be right, too.
        for (int i = 0; i < 2; i++) {
            turn = i;
            int length = encrypt();
            if (!Arrays.equals(out, 0, length, sealed[turn], 0, sealed[turn].length))
                throw new IllegalStateException(provider + " encrypts to something else than SunJCE");
            turn = i;
            length = decrypt();
            if (!Arrays.equals(out, 0, length, plain, 0, bytes))
                throw new IllegalStateException(provider + " decrypts to something else than SunJCE");
        }
    }

    @Benchmark
    public int encrypt() throws GeneralSecurityException {
        turn ^= 1;
        encryption.init(Cipher.ENCRYPT_MODE, key, specs[turn]);
        return encryption.doFinal(plain, 0, bytes, out, 0);
    }

    /** As programs do that ask for a new Cipher for each message. */
    @Benchmark
    public int newCipher() throws GeneralSecurityException {
        turn ^= 1;
        Cipher cipher = Cipher.getInstance(transformation(), measured);
        cipher.init(Cipher.ENCRYPT_MODE, key, specs[turn]);
        return cipher.doFinal(plain, 0, bytes, out, 0);
    }

    @Benchmark
    public int decrypt() throws GeneralSecurityException {
        turn ^= 1;
        decryption.init(Cipher.DECRYPT_MODE, key, specs[turn]);
        return decryption.doFinal(sealed[turn], 0, sealed[turn].length, out, 0);
    }
}
