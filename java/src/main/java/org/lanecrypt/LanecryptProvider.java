// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.util.List;
import java.util.Map;

/**
 * lanecrypt's ciphers for JCA, under the name "Lanecrypt".
 *
 * <p>If the native library can't be loaded, its ciphers can't be made, so that JCA takes those of the next provider in its list; a
 * program that asks for this provider gets the reason as the cause of its {@code NoSuchAlgorithmException}.  {@link #getInfo()} and
 * {@link #loadError()} have it too.
 */
public final class LanecryptProvider extends Provider {
    public static final String NAME = "Lanecrypt";

    private static final long serialVersionUID = 1;

    /** The library is loaded once; null, or why it couldn't be. */
    private static final String LOAD_ERROR = Library.load();

    public LanecryptProvider() {
        super(NAME, Library.VERSION, LOAD_ERROR == null
                ? "AES-GCM, AES-CTR, AES-XTS, ChaCha20, ChaCha20-Poly1305 and XChaCha20-Poly1305 by lanecrypt"
                : "no ciphers: the native library can't be used: " + LOAD_ERROR);
        cipher("AES/GCM/NoPadding", Context.GCM, 0);
        cipher("AES_128/GCM/NoPadding", Context.GCM, 16, "2.16.840.1.101.3.4.1.6");
        cipher("AES_192/GCM/NoPadding", Context.GCM, 24, "2.16.840.1.101.3.4.1.26");
        cipher("AES_256/GCM/NoPadding", Context.GCM, 32, "2.16.840.1.101.3.4.1.46");
        cipher("AES/CTR/NoPadding", Context.CTR, 0);
        cipher("AES/XTS/NoPadding", Context.XTS, 0);
        cipher("ChaCha20", Context.CHACHA20, 0);
        cipher("ChaCha20-Poly1305", Context.CHACHA20_POLY1305, 0, "1.2.840.113549.1.9.16.3.18");
        cipher("XChaCha20-Poly1305", Context.XCHACHA20_POLY1305, 0);
        putService(new KeyService(this, "AES", 16, 24, 32));
        putService(new KeyService(this, "ChaCha20", 32));
        putService(new ParametersService(this, "AES", 16));
        putService(new ParametersService(this, "GCM", 0));
        putService(new ParametersService(this, "ChaCha20-Poly1305", 12));
        putService(new ParametersService(this, "XChaCha20-Poly1305", 24));
    }

    private void cipher(String name, int mode, int keyLen, String... oid) {
        putService(new CipherService(this, name, mode, keyLen, oid.length == 0 ? List.of() : List.of(oid[0], "OID." + oid[0])));
    }

    /** Why the native library couldn't be loaded, or null if it was. */
    public static String loadError() {
        return LOAD_ERROR;
    }

    /**
     * For programs that would rather not start than go on with another provider.
     *
     * @throws ProviderException if the native library couldn't be loaded; its message says why
     */
    public static void requireLoaded() {
        if (LOAD_ERROR != null)
            throw new ProviderException(LOAD_ERROR);
    }

    // Services make objects without reflection, and are classes with names rather than lambdas, which would take longer to load
    // than the native library.

    private static final class CipherService extends Service {
        private static final Map<String, String> ATTRIBUTES = Map.of("SupportedKeyFormats", "RAW");

        private final int mode;
        private final int keyLen;

        CipherService(Provider provider, String name, int mode, int keyLen, List<String> aliases) {
            super(provider, "Cipher", name, NativeCipher.class.getName(), aliases, ATTRIBUTES);
            this.mode = mode;
            this.keyLen = keyLen;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            checkNone(parameter);
            if (LOAD_ERROR != null)
                throw new NoSuchAlgorithmException("lanecrypt's native library can't be used: " + LOAD_ERROR);
            return switch (mode) {
                case Context.CTR, Context.CHACHA20 -> new StreamCipher(getProvider(), mode);
                case Context.XTS -> new XtsCipher(getProvider());
                default -> new AeadCipher(getProvider(), mode, keyLen);
            };
        }

        @Override
        public boolean supportsParameter(Object parameter) {
            return !(parameter instanceof Key key) || "RAW".equals(key.getFormat());
        }
    }

    private static final class KeyService extends Service {
        private final int[] lengths;

        KeyService(Provider provider, String algorithm, int... lengths) {
            super(provider, "KeyGenerator", algorithm, SecretKeyGenerator.class.getName(), null, null);
            this.lengths = lengths;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            checkNone(parameter);
            return new SecretKeyGenerator(getAlgorithm(), lengths);
        }
    }

    private static final class ParametersService extends Service {
        private final int nonceLen;

        ParametersService(Provider provider, String name, int nonceLen) {
            super(provider, "AlgorithmParameters", name, NonceParameters.class.getName(), null, null);
            this.nonceLen = nonceLen;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            checkNone(parameter);
            return new NonceParameters(nonceLen);
        }
    }

    private static void checkNone(Object parameter) throws NoSuchAlgorithmException {
        if (parameter != null)
            throw new NoSuchAlgorithmException("this service takes no parameter");
    }
}
