// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Map;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** The providers that are compared, and what they want as parameters. */
final class Providers {
    /** By name, and not by class: a cold start must not pay for loading the others. */
    private static final Map<String, String> CLASSES = Map.of(
            "Lanecrypt", "org.lanecrypt.LanecryptProvider",
            "ACCP", "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider",
            "Conscrypt", "org.conscrypt.OpenSSLProvider",
            "BC", "org.bouncycastle.jce.provider.BouncyCastleProvider");

    private Providers() {
    }

    static Provider load(String name) throws ReflectiveOperationException {
        if (name.equals("SunJCE"))
            return Security.getProvider(name);
        String className = CLASSES.get(name);
        if (className == null)
            throw new IllegalArgumentException("no provider " + name + " here, only SunJCE and " + CLASSES.keySet());
        return (Provider) Class.forName(className).getConstructor().newInstance();
    }

    static AlgorithmParameterSpec spec(String provider, String transformation, byte[] nonce) {
        return switch (transformation) {
            case "AES/GCM/NoPadding" -> new GCMParameterSpec(128, nonce);
            case "ChaCha20" -> switch (provider) {
                // BouncyCastle refuses the JDK's class, and Conscrypt gets other bytes with it; without it, they begin with 0 too.
                case "BC", "Conscrypt" -> new IvParameterSpec(nonce);
                default -> new ChaCha20ParameterSpec(nonce, 0);
            };
            default -> new IvParameterSpec(nonce);
        };
    }

    static int nonceLength(String transformation) {
        return transformation.equals("AES/CTR/NoPadding") ? 16 : 12;
    }
}
