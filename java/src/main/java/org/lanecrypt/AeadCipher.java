// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.AEADBadTagException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * AES-GCM, ChaCha20-Poly1305, XChaCha20-Poly1305.  Encryption gives every byte out at once; decryption collects the text and gives
 * it out when the tag was right.
 */
final class AeadCipher extends NativeCipher {
    private int tagLen;
    private boolean textBegun;

    AeadCipher(Provider provider, int mode, int keyLen) {
        super(provider, mode, keyLen);
    }

    @Override
    void init(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] newIv;
        int newTagLen = 16;
        if (params instanceof GCMParameterSpec gcm && mode == Context.GCM) {
            newIv = gcm.getIV();
            int bits = gcm.getTLen();
            if (bits < 96 || bits > 128 || bits % 8 != 0)
                throw new InvalidAlgorithmParameterException("unsupported tag length: " + bits
                        + " bits; GCM takes 96, 104, 112, 120 or 128");
            newTagLen = bits / 8;
        } else if (params instanceof IvParameterSpec spec) {
            newIv = spec.getIV();
        } else if (params == null) {
            newIv = randomBytes(nonceLen(), random);
        } else {
            throw new InvalidAlgorithmParameterException("this cipher needs "
                    + (mode == Context.GCM ? "a GCMParameterSpec" : "an IvParameterSpec") + ", not a "
                    + params.getClass().getName());
        }
        if (mode == Context.GCM ? newIv.length == 0 : newIv.length != nonceLen())
            throw new InvalidAlgorithmParameterException("unsupported nonce length: " + newIv.length + " bytes; this cipher takes "
                    + (mode == Context.GCM ? "1 or more" : nonceLen()));
        if (!takeNonce(newIv)) {
            if (mode == Context.GCM)
                throw new InvalidAlgorithmParameterException(USED_NONCE);
            throw new InvalidKeyException(USED_NONCE); // as SunJCE does
        }
        iv = newIv;
        tagLen = newTagLen;
    }

    @Override
    void begin() {
        textBegun = false;
        message().begin(iv, tagLen);
    }

    private AeadContext message() {
        return (AeadContext) context;
    }

    private int nonceLen() {
        return mode == Context.XCHACHA20_POLY1305 ? 24 : 12;
    }

    @Override
    Class<? extends AlgorithmParameterSpec> specClass() {
        return mode == Context.GCM ? GCMParameterSpec.class : IvParameterSpec.class;
    }

    @Override
    AlgorithmParameterSpec spec() {
        return mode == Context.GCM ? new GCMParameterSpec(8 * tagLen, iv) : new IvParameterSpec(iv);
    }

    @Override
    String parametersName() {
        return switch (mode) {
            case Context.GCM -> "GCM";
            case Context.CHACHA20_POLY1305 -> "ChaCha20-Poly1305";
            default -> "XChaCha20-Poly1305";
        };
    }

    @Override
    int updateLen(int length) {
        return encrypting ? length : 0;
    }

    @Override
    long finishLen(int length) {
        return encrypting ? (long) length + tagLen : Math.max((long) heldLen + length - tagLen, 0);
    }

    @Override
    void checkAad() {
        if (textBegun)
            throw new IllegalStateException("associated data must come before the text");
    }

    @Override
    void updateAad(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        message().aad(in, inBuf, inOff, length);
    }

    @Override
    void update(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        textBegun = true;
        if (!encrypting) {
            hold(in, inBuf, inOff, length);
        } else if (isAhead(in, inBuf, inOff, length, out, outBuf, outOff)) {
            hold(in, inBuf, inOff, length);
            message().update(held, null, 0, length, out, outBuf, outOff);
            dropHeld();
        } else if (length > 0) {
            message().update(in, inBuf, inOff, length, out, outBuf, outOff);
        }
    }

    @Override
    void finish(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff)
            throws AEADBadTagException {
        if (encrypting) {
            useUp();
            if (isAhead(in, inBuf, inOff, length, out, outBuf, outOff)) {
                hold(in, inBuf, inOff, length);
                message().seal(held, null, 0, length, out, outBuf, outOff);
            } else {
                message().seal(in, inBuf, inOff, length, out, outBuf, outOff);
            }
            return;
        }
        long total = (long) heldLen + length;
        if (total < tagLen)
            throw new AEADBadTagException("the input has " + total + " bytes, fewer than the tag's " + tagLen);
        if (heldLen > 0 || length - tagLen > Context.TEXT_LEN && (in == null || out == null)) {
            hold(in, inBuf, inOff, length);
            message().open(held, null, 0, heldLen - tagLen, out, outBuf, outOff);
        } else {
            message().open(in, inBuf, inOff, length - tagLen, out, outBuf, outOff);
        }
    }
}
