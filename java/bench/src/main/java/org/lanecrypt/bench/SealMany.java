// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

import java.security.GeneralSecurityException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.lanecrypt.Aead;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Messages one after the other through a Cipher, and all in one call of the typed interface; an operation is a message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@OperationsPerInvocation(SealMany.MESSAGES)
public class SealMany {
    static final int MESSAGES = 32;

    @Param({"64", "256", "1024"})
    int bytes;

    @Param({"AES_GCM", "CHACHA20_POLY1305"})
    Aead.Algorithm algorithm;

    private final byte[][] nonces = new byte[MESSAGES][];
    private final byte[][] texts = new byte[MESSAGES][];
    private final byte[][] sealed = new byte[MESSAGES][];
    private String transformation;
    private SecretKeySpec key;
    private Cipher cipher;
    private Aead aead;

    @Setup
    public void setUp() throws GeneralSecurityException, ReflectiveOperationException {
        boolean isGcm = algorithm == Aead.Algorithm.AES_GCM;
        Random random = new Random(1);
        byte[] rawKey = new byte[32];
        random.nextBytes(rawKey);
        transformation = isGcm ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305";
        key = new SecretKeySpec(rawKey, isGcm ? "AES" : "ChaCha20");
        cipher = Cipher.getInstance(transformation, Providers.load("Lanecrypt"));
        aead = new Aead(algorithm, key);
        for (int i = 0; i < MESSAGES; i++) {
            random.nextBytes(nonces[i] = new byte[12]);
            random.nextBytes(texts[i] = new byte[bytes]);
        }
    }

    @Benchmark
    public byte[][] oneByOne() throws GeneralSecurityException {
        for (int i = 0; i < MESSAGES; i++) {
            cipher.init(Cipher.ENCRYPT_MODE, key, Providers.spec("Lanecrypt", transformation, nonces[i]));
            sealed[i] = cipher.doFinal(texts[i]);
        }
        return sealed;
    }

    @Benchmark
    public byte[][] together() {
        return aead.sealMany(nonces, null, texts);
    }
}
