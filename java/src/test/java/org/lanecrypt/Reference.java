// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What a whole message has to become: by the JDK's own provider, and by a model on top of it where that has no such cipher. */
final class Reference {
    private Reference() {
    }

    static byte[] crypt(Mode mode, int opmode, SecretKey key, AlgorithmParameterSpec spec, byte[] aad, byte[] text)
            throws GeneralSecurityException {
        switch (mode) {
            case AES_XTS:
                return xts(opmode, key.getEncoded(), ((IvParameterSpec) spec).getIV(), text);
            case XCHACHA20_POLY1305: {
                byte[] nonce = ((IvParameterSpec) spec).getIV();
                byte[] rest = new byte[12]; // four zeros, then what HChaCha20 has not taken
                System.arraycopy(nonce, 16, rest, 4, 8);
                return sun("ChaCha20-Poly1305", opmode, new SecretKeySpec(hchacha20(key.getEncoded(), nonce), "ChaCha20"),
                           new IvParameterSpec(rest), aad, text);
            }
            default:
                return sun(mode.transformation, opmode, key, spec, aad, text);
        }
    }

    private static byte[] sun(String transformation, int opmode, SecretKey key, AlgorithmParameterSpec spec, byte[] aad,
                              byte[] text) throws GeneralSecurityException {
        Cipher c = Cipher.getInstance(transformation, "SunJCE");
        c.init(opmode, key, spec);
        if (aad.length > 0)
            c.updateAAD(aad);
        return c.doFinal(text);
    }

    /** HChaCha20 (draft-irtf-cfrg-xchacha-03, 2.2): the first and the last row of the state after 20 rounds. */
    private static byte[] hchacha20(byte[] key, byte[] nonce) {
        int[] x = new int[16];
        ByteBuffer in = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        in.put("expand 32-byte k".getBytes(StandardCharsets.US_ASCII)).put(key).put(nonce, 0, 16).flip();
        for (int i = 0; i < 16; i++)
            x[i] = in.getInt();
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 4; j++)
                quarterRound(x, j, 4 + j, 8 + j, 12 + j);
            for (int j = 0; j < 4; j++)
                quarterRound(x, j, 4 + (j + 1) % 4, 8 + (j + 2) % 4, 12 + (j + 3) % 4);
        }
        ByteBuffer out = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 8; i++)
            out.putInt(x[i < 4 ? i : i + 8]);
        return out.array();
    }

    private static void quarterRound(int[] x, int a, int b, int c, int d) {
        int[] rotations = { 16, 12, 8, 7 };
        for (int i = 0; i < 4; i++) {
            int to = i % 2 == 0 ? a : c;
            int from = i % 2 == 0 ? b : d;
            int turned = i % 2 == 0 ? d : b;
            x[to] += x[from];
            x[turned] = Integer.rotateLeft(x[turned] ^ x[to], rotations[i]);
        }
    }

    /** XTS (IEEE 1619-2018, 5.3 and 5.4), block by block. */
    private static byte[] xts(int opmode, byte[] key, byte[] iv, byte[] text) throws GeneralSecurityException {
        int half = key.length / 2;
        Cipher data = Cipher.getInstance("AES/ECB/NoPadding", "SunJCE");
        data.init(opmode, new SecretKeySpec(key, 0, half, "AES"));
        Cipher tweaks = Cipher.getInstance("AES/ECB/NoPadding", "SunJCE");
        tweaks.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, half, half, "AES"));
        byte[] tweak = tweaks.doFinal(iv);
        byte[] out = new byte[text.length];
        int whole = text.length / 16;
        int rest = text.length % 16;
        if (rest > 0)
            whole--;
        for (int i = 0; i < whole; i++) {
            System.arraycopy(block(data, tweak, text, 16 * i), 0, out, 16 * i, 16);
            tweak = times(tweak);
        }
        if (rest > 0) { // ciphertext stealing: the last whole block goes under the later tweak first when it decrypts
            byte[] next = times(tweak);
            boolean encrypt = opmode == Cipher.ENCRYPT_MODE;
            byte[] stolen = block(data, encrypt ? tweak : next, text, 16 * whole);
            byte[] last = stolen.clone();
            System.arraycopy(text, 16 * whole + 16, last, 0, rest);
            System.arraycopy(block(data, encrypt ? next : tweak, last, 0), 0, out, 16 * whole, 16);
            System.arraycopy(stolen, 0, out, 16 * whole + 16, rest);
        }
        return out;
    }

    private static byte[] block(Cipher aes, byte[] tweak, byte[] in, int offset) throws GeneralSecurityException {
        byte[] b = Arrays.copyOfRange(in, offset, offset + 16);
        for (int i = 0; i < 16; i++)
            b[i] ^= tweak[i];
        b = aes.doFinal(b);
        for (int i = 0; i < 16; i++)
            b[i] ^= tweak[i];
        return b;
    }

    /** The tweak times x in GF(2^128), little endian. */
    private static byte[] times(byte[] tweak) {
        byte[] t = new byte[16];
        int carry = 0;
        for (int i = 0; i < 16; i++) {
            t[i] = (byte) (tweak[i] << 1 | carry);
            carry = (tweak[i] & 0x80) >> 7;
        }
        if (carry != 0)
            t[0] ^= (byte) 0x87;
        return t;
    }
}
