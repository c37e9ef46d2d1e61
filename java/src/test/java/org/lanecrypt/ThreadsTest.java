// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads at once, each with Ciphers of its own. */
class ThreadsTest {
    private static final int THREADS = 16;

    private static void inThreads(Callable<Void> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(pool.submit(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    return task.call();
                }));
            }
            for (Future<Void> f : all)
                f.get(120, TimeUnit.SECONDS);
        } finally {
            pool.shutdownNow();
        }
    }

    /** One key object that nobody has used before, so that all of them want it expanded at the same time. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void oneKey(Mode mode) throws Exception {
        Random random = new Random(10);
        for (int round = 0; round < 5; round++) {
            SecretKey key = mode.key(random);
            AlgorithmParameterSpec[] specs = new AlgorithmParameterSpec[20];
            byte[][] texts = new byte[specs.length][];
            byte[][] sealed = new byte[specs.length][];
            for (int i = 0; i < specs.length; i++) {
                specs[i] = mode.spec(random);
                texts[i] = Mode.bytes(random, i == 0 ? 500_000 : 16 + random.nextInt(3000));
                sealed[i] = Reference.crypt(mode, Cipher.ENCRYPT_MODE, key, specs[i], new byte[0], texts[i]);
            }
            inThreads(() -> {
                Cipher c = mode.cipher();
                for (int i = 0; i < specs.length; i++) {
                    c.init(Cipher.ENCRYPT_MODE, key, specs[i]);
                    assertArrayEquals(sealed[i], c.doFinal(texts[i]));
                    c.init(Cipher.DECRYPT_MODE, key, specs[i]);
                    assertArrayEquals(texts[i], c.doFinal(sealed[i]));
                }
                return null;
            });
        }
    }

    /** Keys and Ciphers that are dropped while others are at work, and collected in between. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void keysComeAndGo(Mode mode) throws Exception {
        Random random = new Random(11);
        byte[] raw = mode.key(random).getEncoded();
        AlgorithmParameterSpec spec = mode.spec(random);
        byte[] text = Mode.bytes(random, 5000);
        byte[] sealed = Reference.crypt(mode, Cipher.ENCRYPT_MODE, mode.key(raw), spec, new byte[0], text);
        inThreads(() -> {
            Random own = new Random();
            for (int i = 0; i < 100; i++) {
                mode.cipher(Cipher.ENCRYPT_MODE, mode.key(own), mode.spec(own)).doFinal(text);
                assertArrayEquals(text, mode.cipher(Cipher.DECRYPT_MODE, mode.key(raw), spec).doFinal(sealed));
                if (i % 25 == 0)
                    System.gc();
            }
            return null;
        });
    }
}
