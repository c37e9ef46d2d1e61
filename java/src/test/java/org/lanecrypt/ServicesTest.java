// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Test;

/** What the provider offers and under which names; its key generators and parameters. */
class ServicesTest {
    private static final String OID = "1.2.840.113549.1.9.16.3.18"; // ChaCha20-Poly1305, RFC 8103

    @Test
    void theListOfServices() throws Exception {
        Set<String> expected = new TreeSet<>(List.of(
            "Cipher AES/GCM/NoPadding", "Cipher AES_128/GCM/NoPadding", "Cipher AES_192/GCM/NoPadding",
            "Cipher AES_256/GCM/NoPadding", "Cipher AES/CTR/NoPadding", "Cipher AES/XTS/NoPadding", "Cipher ChaCha20",
            "Cipher ChaCha20-Poly1305", "Cipher XChaCha20-Poly1305", "KeyGenerator AES", "KeyGenerator ChaCha20"));
        Set<String> found = Mode.PROVIDER.getServices().stream().filter(s -> !s.getType().equals("AlgorithmParameters"))
            .map(s -> s.getType() + " " + s.getAlgorithm()).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, found);
        for (Provider.Service s : Mode.PROVIDER.getServices())
            assertNotNull(s.newInstance(null), s.toString());
        assertEquals("Lanecrypt", Mode.PROVIDER.getName());
    }

    @Test
    void objectIdentifier() throws Exception {
        for (String name : new String[] { OID, "OID." + OID })
            assertSame(Mode.PROVIDER, Cipher.getInstance(name, Mode.PROVIDER).getProvider());
    }

    /** JCA asks a provider for a key's format before it makes a Cipher. */
    @Test
    void keysOfOtherFormatsAreNotOurs() {
        for (Provider.Service s : Mode.PROVIDER.getServices()) {
            if (!s.getType().equals("Cipher"))
                continue;
            assertEquals("RAW", s.getAttribute("SupportedKeyFormats"), s.getAlgorithm());
        }
    }

    /** Other providers' keys: JCA goes on to the next provider when the first doesn't want a key. */
    @Test
    void theFirstInTheListIsTheOneUsed() throws Exception {
        Security.insertProviderAt(Mode.PROVIDER, 1);
        try {
            for (Mode mode : Mode.values()) {
                Random random = new Random(3);
                Cipher c = Cipher.getInstance(mode.transformation);
                c.init(Cipher.ENCRYPT_MODE, mode.key(random), mode.spec(random));
                assertSame(Mode.PROVIDER, c.getProvider(), mode.name());
            }
            assertFalse(Cipher.getInstance("AES/CBC/PKCS5Padding").getProvider() == Mode.PROVIDER);
        } finally {
            Security.removeProvider(Mode.PROVIDER.getName());
        }
    }

    @Test
    void generatedKeys() throws Exception {
        for (int bits : new int[] { 128, 192, 256 }) {
            KeyGenerator g = KeyGenerator.getInstance("AES", Mode.PROVIDER);
            g.init(bits);
            generated(g, "AES", bits);
            g.init(bits, new SecureRandom());
            generated(g, "AES", bits);
        }
        KeyGenerator aes = KeyGenerator.getInstance("AES", Mode.PROVIDER);
        generated(aes, "AES", 256); // as the JDK's newer ones without a size
        aes.init(new SecureRandom());
        generated(aes, "AES", 256);
        KeyGenerator chacha = KeyGenerator.getInstance("ChaCha20", Mode.PROVIDER);
        generated(chacha, "ChaCha20", 256);
        chacha.init(256);
        generated(chacha, "ChaCha20", 256);
        for (int bits : new int[] { -1, 0, 8, 127, 129, 160, 255, 512 }) {
            for (KeyGenerator g : new KeyGenerator[] { aes, chacha }) {
                InvalidParameterException e = assertThrows(InvalidParameterException.class, () -> g.init(bits));
                assertTrue(e.getMessage().contains(String.valueOf(bits)), e.toString());
            }
        }
        assertThrows(InvalidParameterException.class, () -> chacha.init(128));
        assertThrows(InvalidAlgorithmParameterException.class, () -> aes.init(new IvParameterSpec(new byte[16])));
        assertThrows(InvalidAlgorithmParameterException.class, () -> chacha.init(new IvParameterSpec(new byte[12])));
    }

    private static void generated(KeyGenerator g, String algorithm, int bits) {
        SecretKey key = g.generateKey();
        assertEquals(algorithm, key.getAlgorithm());
        assertEquals("RAW", key.getFormat());
        assertEquals(bits / 8, key.getEncoded().length);
        assertFalse(Arrays.equals(key.getEncoded(), g.generateKey().getEncoded()), "the same key twice");
    }

    @Test
    void keysComeFromTheGivenSource() throws Exception {
        for (String name : new String[] { "AES", "ChaCha20" }) {
            KeyGenerator g = KeyGenerator.getInstance(name, Mode.PROVIDER);
            g.init(256, new SecureRandom() {
                private static final long serialVersionUID = 1;

                @Override
                public void nextBytes(byte[] b) {
                    Arrays.fill(b, (byte) 0x5a);
                }
            });
            byte[] expected = new byte[32];
            Arrays.fill(expected, (byte) 0x5a);
            assertArrayEquals(expected, g.generateKey().getEncoded());
        }
    }

    /** Parameters have to be there too where SunJCE, whose classes these are otherwise, is not. */
    @Test
    void parametersWithoutSunJce() throws Exception {
        List<Provider> before = Arrays.asList(Security.getProviders());
        Provider sun = Security.getProvider("SunJCE");
        int position = before.indexOf(sun) + 1;
        Security.removeProvider("SunJCE");
        Security.addProvider(Mode.PROVIDER);
        try {
            for (Mode mode : Mode.values()) {
                if (mode == Mode.CHACHA20)
                    continue; // has none
                Random random = new Random(4);
                SecretKey key = mode.key(random);
                Cipher c = Cipher.getInstance(mode.transformation);
                c.init(Cipher.ENCRYPT_MODE, key, mode.spec(random));
                AlgorithmParameters p = c.getParameters();
                AlgorithmParameters copy = AlgorithmParameters.getInstance(p.getAlgorithm());
                copy.init(p.getEncoded());
                byte[] iv = mode == Mode.AES_GCM ? copy.getParameterSpec(GCMParameterSpec.class).getIV()
                    : copy.getParameterSpec(IvParameterSpec.class).getIV();
                assertArrayEquals(c.getIV(), iv, mode.name());
                Cipher d = Cipher.getInstance(mode.transformation);
                d.init(Cipher.DECRYPT_MODE, key, copy);
                byte[] text = Mode.bytes(random, 50);
                assertArrayEquals(text, d.doFinal(c.doFinal(text)), mode.name());
            }
        } finally {
            Security.removeProvider(Mode.PROVIDER.getName());
            Security.insertProviderAt(sun, position);
        }
        assertEquals(before, Arrays.asList(Security.getProviders()));
    }

    /** DER of our own parameters against the JDK's, and what is not DER. */
    @Test
    void encodedParameters() throws Exception {
        Random random = new Random(5);
        for (String name : new String[] { "AES", "GCM", "ChaCha20-Poly1305", "XChaCha20-Poly1305" }) {
            boolean gcm = name.equals("GCM");
            int[] lengths = gcm ? new int[] { 12, 1, 16, 127, 128, 300 }
                : new int[] { name.equals("AES") ? 16 : name.startsWith("X") ? 24 : 12 };
            for (int length : lengths) {
                for (int tagBits : gcm ? new int[] { 96, 104, 128 } : new int[1]) {
                    byte[] iv = Mode.bytes(random, length);
                    AlgorithmParameterSpec spec = gcm ? new GCMParameterSpec(tagBits, iv) : new IvParameterSpec(iv);
                    AlgorithmParameters ours = AlgorithmParameters.getInstance(name, Mode.PROVIDER);
                    ours.init(spec);
                    byte[] der = ours.getEncoded();
                    if (name.startsWith("X"))
                        assertEquals("0418" + HexFormat.of().formatHex(iv), HexFormat.of().formatHex(der));
                    else
                        exchanged(name, spec, der);
                    notDer(name, der);
                }
            }
        }
        // DER leaves a default out, and GCM's is a tag of 12 bytes (RFC 5084); JDK 17 writes it all the same
        AlgorithmParameters p = AlgorithmParameters.getInstance("GCM", Mode.PROVIDER);
        p.init(new GCMParameterSpec(96, new byte[2]));
        assertEquals("300404020000", HexFormat.of().formatHex(p.getEncoded()));
    }

    /** What we have encoded, the JDK decodes, and the other way. */
    private static void exchanged(String name, AlgorithmParameterSpec spec, byte[] der) throws Exception {
        AlgorithmParameters sun = AlgorithmParameters.getInstance(name, "SunJCE");
        sun.init(spec);
        boolean gcm = spec instanceof GCMParameterSpec;
        if (!gcm || ((GCMParameterSpec) spec).getTLen() != 96)
            assertArrayEquals(sun.getEncoded(), der, name);
        for (boolean forth : new boolean[] { true, false }) {
            AlgorithmParameters p = forth ? AlgorithmParameters.getInstance(name, "SunJCE")
                : AlgorithmParameters.getInstance(name, Mode.PROVIDER);
            p.init(forth ? der : sun.getEncoded());
            if (gcm) {
                GCMParameterSpec got = p.getParameterSpec(GCMParameterSpec.class);
                assertArrayEquals(((GCMParameterSpec) spec).getIV(), got.getIV());
                assertEquals(((GCMParameterSpec) spec).getTLen(), got.getTLen());
            } else {
                assertArrayEquals(((IvParameterSpec) spec).getIV(), p.getParameterSpec(IvParameterSpec.class).getIV());
            }
        }
    }

    private static void notDer(String name, byte[] der) throws Exception {
        for (int i = 0; i <= der.length + 1; i++) {
            byte[] other = Arrays.copyOf(der, i); // all that is too short, and one that is too long
            AlgorithmParameters p = AlgorithmParameters.getInstance(name, Mode.PROVIDER);
            if (i != der.length)
                assertThrows(IOException.class, () -> p.init(other), name);
        }
    }

    /** Nothing of ours can be serialised, for it could only be a key. */
    @Test
    void nothingIsSerializable() throws Exception {
        Path classes = Path.of(LanecryptProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> names;
        try (Stream<Path> files = Files.walk(classes.resolve("org/lanecrypt"))) {
            names = files.map(f -> classes.relativize(f).toString()).filter(f -> f.endsWith(".class"))
                .map(f -> f.substring(0, f.length() - 6).replace('/', '.')).collect(Collectors.toList());
        }
        assertTrue(names.size() > 3, names.toString());
        for (String name : names) {
            Class<?> type = Class.forName(name, false, getClass().getClassLoader());
            boolean inherited = Provider.class.isAssignableFrom(type) || Throwable.class.isAssignableFrom(type)
                || Enum.class.isAssignableFrom(type);
            assertTrue(inherited || !Serializable.class.isAssignableFrom(type), name);
        }
        SecretKey key = Mode.AES_GCM.key(new Random(6));
        Cipher c = Mode.AES_GCM.cipher(Cipher.ENCRYPT_MODE, key, Mode.AES_GCM.spec(new Random(6)));
        assertThrows(NotSerializableException.class,
                     () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(c));
    }
}
