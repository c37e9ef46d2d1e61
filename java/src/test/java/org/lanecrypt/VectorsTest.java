// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Published vectors: NIST's (CAVP) and Wycheproof's, as tests/fetch_vectors.sh brings them, and those of RFCs and standards. */
class VectorsTest {
    /** Records of "name = value" lines, with an empty line between; "FAIL" stands alone; a section's lines are in brackets. */
    private static List<Map<String, String>> read(String file) {
        String dir = System.getProperty("lanecrypt.vectors");
        if (dir == null)
            fail("the system property lanecrypt.vectors has to name the directory that tests/fetch_vectors.sh has filled");
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(dir, file));
        } catch (IOException e) {
            return fail("test vectors are missing (run tests/fetch_vectors.sh " + dir + "): " + e);
        }
        List<Map<String, String>> records = new ArrayList<>();
        Map<String, String> record = null;
        for (String line : lines) {
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("[")) {
                record = line.isEmpty() ? null : record;
                if (line.equals("[DECRYPT]"))
                    break; // the same records as [ENCRYPT] has, the other way
                continue;
            }
            if (record == null)
                records.add(record = new HashMap<>());
            int equals = line.indexOf('=');
            record.put(equals < 0 ? line : line.substring(0, equals).trim(), equals < 0 ? "" : line.substring(equals + 1).trim());
        }
        return records;
    }

    private static byte[] hex(Map<String, String> record, String name) {
        return HexFormat.of().parseHex(record.get(name));
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    /** One vector of an AEAD, both ways. */
    private static void aead(Mode mode, Map<String, String> r, boolean valid) throws GeneralSecurityException {
        SecretKey key = mode.key(hex(r, "Key"));
        byte[] nonce = hex(r, "IV");
        byte[] tag = hex(r, "Tag");
        byte[] aad = hex(r, "AAD");
        byte[] sealed = join(hex(r, "CT"), tag);
        AlgorithmParameterSpec spec = mode == Mode.AES_GCM ? new GCMParameterSpec(8 * tag.length, nonce) : mode.spec(nonce);
        Cipher open = mode.cipher(Cipher.DECRYPT_MODE, key, spec);
        open.updateAAD(aad);
        if (!valid) {
            assertThrows(AEADBadTagException.class, () -> open.doFinal(sealed), r::toString);
            return;
        }
        assertArrayEquals(hex(r, "PT"), open.doFinal(sealed), r::toString);
        Cipher seal = mode.cipher(Cipher.ENCRYPT_MODE, key, spec);
        seal.updateAAD(aad);
        assertArrayEquals(sealed, seal.doFinal(hex(r, "PT")), r::toString);
    }

    @ParameterizedTest
    @CsvSource({ "AES_GCM, aes_gcm, 316", "CHACHA20_POLY1305, chacha20_poly1305, 325",
                 "XCHACHA20_POLY1305, xchacha20_poly1305, 315" })
    void wycheproofAead(Mode mode, String file, int count) throws GeneralSecurityException {
        List<Map<String, String>> records = read("wycheproof/" + file + ".rsp");
        int refused = 0;
        for (Map<String, String> r : records) {
            boolean valid = r.get("Result").equals("valid");
            byte[] nonce = hex(r, "IV");
            if (mode == Mode.AES_GCM ? nonce.length == 0 : nonce.length != mode.nonceLength) {
                assertTrue(!valid, r::toString);
                AlgorithmParameterSpec spec = mode.spec(nonce);
                assertThrows(InvalidAlgorithmParameterException.class,
                             () -> mode.cipher(Cipher.DECRYPT_MODE, mode.key(hex(r, "Key")), spec), r::toString);
                refused++;
            } else {
                aead(mode, r, valid);
            }
        }
        assertEquals(count, records.size());
        assertTrue(refused > 0 && refused < 20, refused + " nonces were refused");
    }

    @ParameterizedTest
    @ValueSource(ints = { 128, 192, 256 })
    void nistGcm(int bits) throws GeneralSecurityException {
        int[] done = new int[3];
        for (String file : new String[] { "gcmEncryptExtIV", "gcmDecrypt" }) {
            for (Map<String, String> r : read("cryptography_vectors/ciphers/AES/GCM/" + file + bits + ".rsp")) {
                if (!r.containsKey("Key"))
                    continue; // a section's head
                if (hex(r, "Tag").length < 12) { // JCA has no GCM with shorter tags
                    assertThrows(InvalidAlgorithmParameterException.class, () -> aead(Mode.AES_GCM, r, true), r::toString);
                    done[2]++;
                } else {
                    boolean valid = !r.containsKey("FAIL");
                    aead(Mode.AES_GCM, r, valid);
                    done[valid ? 0 : 1]++;
                }
            }
        }
        assertTrue(done[0] > 5000 && done[1] > 1000 && done[2] > 1000, "valid, invalid, refused: " + Arrays.toString(done));
    }

    @ParameterizedTest
    @ValueSource(strings = { "wycheproof/aes_xts", "cryptography_vectors/ciphers/AES/XTS/tweak-128hexstr/XTSGenAES128",
                             "cryptography_vectors/ciphers/AES/XTS/tweak-128hexstr/XTSGenAES256",
                             "cryptography_vectors/ciphers/AES/XTS/tweak-dataunitseqno/XTSGenAES128",
                             "cryptography_vectors/ciphers/AES/XTS/tweak-dataunitseqno/XTSGenAES256" })
    void xts(String file) throws GeneralSecurityException {
        int done = 0;
        for (Map<String, String> r : read(file + ".rsp")) {
            if (!r.containsKey("Key") || Integer.parseInt(r.get("DataUnitLen")) % 8 != 0)
                continue; // a section's head, or a text that isn't whole bytes
            byte[] tweak = new byte[16];
            if (r.containsKey("i"))
                tweak = hex(r, "i");
            else
                tweak[0] = (byte) Integer.parseInt(r.get("DataUnitSeqNumber"));
            SecretKey key = Mode.AES_XTS.key(hex(r, "Key"));
            if (key.getEncoded().length == 48) { // AES-192 isn't in the standard for XTS
                AlgorithmParameterSpec any = new IvParameterSpec(new byte[16]);
                assertThrows(InvalidKeyException.class, () -> Mode.AES_XTS.cipher(Cipher.ENCRYPT_MODE, key, any));
                continue;
            }
            AlgorithmParameterSpec spec = new IvParameterSpec(tweak);
            byte[] pt = hex(r, "PT");
            byte[] ct = hex(r, "CT");
            assertArrayEquals(ct, Mode.AES_XTS.cipher(Cipher.ENCRYPT_MODE, key, spec).doFinal(pt), r::toString);
            assertArrayEquals(pt, Mode.AES_XTS.cipher(Cipher.DECRYPT_MODE, key, spec).doFinal(ct), r::toString);
            done++;
        }
        assertTrue(done >= 80, "only " + done + " vectors");
    }

    /** RFC 8439, 2.4.2. */
    @Test
    void chacha20() throws GeneralSecurityException {
        byte[] key = new byte[32];
        for (int i = 0; i < 32; i++)
            key[i] = (byte) i;
        byte[] nonce = HexFormat.of().parseHex("000000000000004a00000000");
        byte[] text = ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
            + "sunscreen would be it.").getBytes(StandardCharsets.US_ASCII);
        String expected = "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
            + "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
            + "5af90bbf74a35be6b40b8eedf2785e42874d";
        Cipher c = Mode.CHACHA20.cipher(Cipher.ENCRYPT_MODE, Mode.CHACHA20.key(key), new ChaCha20ParameterSpec(nonce, 1));
        assertEquals(expected, HexFormat.of().formatHex(c.doFinal(text)));
    }

    /** NIST SP 800-38A, F.5.5: AES-256. */
    @Test
    void ctr() throws GeneralSecurityException {
        HexFormat hex = HexFormat.of();
        byte[] key = hex.parseHex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
        byte[] iv = hex.parseHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
        byte[] text = hex.parseHex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
        String expected = "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
            + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6";
        Cipher c = Mode.AES_CTR.cipher(Cipher.ENCRYPT_MODE, Mode.AES_CTR.key(key), new IvParameterSpec(iv));
        assertEquals(expected, hex.formatHex(c.doFinal(text)));
    }
}
