// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Cipher is for one thread. A program that breaks the rule gets garbage or exceptions, as from Java code, and no crash. */
class MisuseTest {
    private static final int THREADS = 4;
    private static final long MILLISECONDS = 1500;

    /** The child: all threads do at random what can be done with one Cipher. */
    static final class Race {
        public static void main(String[] arguments) throws Exception {
            Mode mode = Mode.valueOf(arguments[0]);
            Random seeds = new Random(14);
            SecretKey[] keys = new SecretKey[4];
            for (int i = 0; i < keys.length; i++)
                keys[i] = mode.key(seeds);
            Cipher c = mode.cipher();
            AtomicLong calls = new AtomicLong();
            AtomicLong refused = new AtomicLong();
            long end = System.currentTimeMillis() + MILLISECONDS;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                threads.add(new Thread(() -> {
                    byte[] in = new byte[400_000];
                    byte[] out = new byte[500_000];
                    ByteBuffer direct = ByteBuffer.allocateDirect(500_000);
                    while (System.currentTimeMillis() < end) {
                        int length = random.nextInt(random.nextInt(50) == 0 ? in.length : 5000);
                        try {
                            step(mode, c, keys, random, in, length, out, direct);
                            calls.incrementAndGet();
                        } catch (Exception e) {
                            refused.incrementAndGet();
                        }
                    }
                }));
            }
            for (Thread t : threads)
                t.start();
            for (Thread t : threads)
                t.join();
            System.out.println("done: " + (calls.get() > 0 && refused.get() > 0));
        }

        private static void step(Mode mode, Cipher c, SecretKey[] keys, Random random, byte[] in, int length, byte[] out,
                                 ByteBuffer direct) throws Exception {
            switch (random.nextInt(6)) {
                case 0:
                case 1:
                    c.init(1 + random.nextInt(2), keys[random.nextInt(keys.length)], mode.spec(random));
                    break;
                case 2:
                    if (mode.isAead())
                        c.updateAAD(in, 0, length % 1000);
                    break;
                case 3:
                    c.update(in, 0, length, out, 0);
                    break;
                case 4:
                    c.doFinal(in, 0, length, out, 0);
                    break;
                default:
                    direct.clear();
                    c.doFinal(ByteBuffer.wrap(in, 0, length), direct);
                    break;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void oneCipherInManyThreads(Mode mode) throws Exception {
        Child child = Child.run(Child.command(List.of(), Race.class.getName(), mode.name()));
        assertEquals(0, child.status, child::toString);
        assertTrue(child.output.contains("done: true"), child::toString);
    }
}
