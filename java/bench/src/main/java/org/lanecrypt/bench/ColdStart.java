// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Locale;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a new JVM takes for its first encryptions: run once in each. Prints one line: JDK, provider, transformation, bytes, the
 * milliseconds that it took to load the provider and to get a Cipher, and those until operations 1, 10, 100 and 1000 had finished,
 * counted from then. The start of JCA itself, which is the same for all providers, comes before.
 */
public final class ColdStart {
    private ColdStart() {
    }

    public static void main(String[] args) throws GeneralSecurityException, ReflectiveOperationException {
        if (args.length != 3)
            throw new IllegalArgumentException("usage: ColdStart PROVIDER TRANSFORMATION BYTES");
        String provider = args[0];
        String transformation = args[1];
        byte[] plain = new byte[Integer.parseInt(args[2])];
        byte[] out = new byte[plain.length + 16];
        byte[] nonce = new byte[Providers.nonceLength(transformation)];
        SecretKeySpec key = new SecretKeySpec(new byte[32], transformation.startsWith("AES") ? "AES" : "ChaCha20");

        Mac.getInstance("HmacSHA256");
        var milestones = new TreeMap<Integer, Long>();
        long start = System.nanoTime();
        Provider loaded = Providers.load(provider);
        Cipher cipher = Cipher.getInstance(transformation, loaded);
        milestones.put(0, System.nanoTime() - start);
        start = System.nanoTime();
        for (int i = 1; i <= 1000; i++) {
            nonce[0] = (byte) i;
            nonce[1] = (byte) (i >> 8);
            cipher.init(Cipher.ENCRYPT_MODE, key, Providers.spec(provider, transformation, nonce));
            cipher.doFinal(plain, 0, plain.length, out, 0);
            if (i == 1 || i == 10 || i == 100 || i == 1000)
                milestones.put(i, System.nanoTime() - start);
        }

        String vm = System.getProperty("java.vm.name").split(" ")[0];
        var line = new StringBuilder(vm + " " + System.getProperty("java.version") + "\t" + String.join("\t", args));
        milestones.values().forEach(ns -> line.append(String.format(Locale.ROOT, "\t%.3f", ns / 1e6)));
        System.out.println(line);
    }
}
