// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.IvParameterSpec;

/** AES-XTS: what goes through one doFinal, and the updates before it, is one data unit, and its tweak is the iv. */
final class XtsCipher extends NativeCipher {
    private static final int TWEAK_LEN = 16;
    private static final int MIN_LEN = 16;
    private static final int MAX_LEN = 16 << 20;

    XtsCipher(Provider provider) {
        super(provider, Context.XTS, 0);
    }

    @Override
    void init(AlgorithmParameterSpec params, SecureRandom random) throws InvalidAlgorithmParameterException {
        byte[] newIv;
        if (params == null)
            newIv = randomBytes(TWEAK_LEN, random);
        else if (params instanceof IvParameterSpec spec)
            newIv = spec.getIV();
        else
            throw new InvalidAlgorithmParameterException("this cipher needs an IvParameterSpec, not a "
                    + params.getClass().getName());
        if (newIv.length != TWEAK_LEN)
            throw new InvalidAlgorithmParameterException("unsupported tweak length: " + newIv.length + " bytes; AES-XTS takes "
                    + TWEAK_LEN);
        iv = newIv;
    }

    @Override
    void begin() {
        context.putNonce(iv);
    }

    @Override
    Class<? extends AlgorithmParameterSpec> specClass() {
        return IvParameterSpec.class;
    }

    @Override
    AlgorithmParameterSpec spec() {
        return new IvParameterSpec(iv);
    }

    @Override
    String parametersName() {
        return "AES";
    }

    @Override
    int updateLen(int length) {
        return 0;
    }

    @Override
    long finishLen(int length) {
        return (long) heldLen + length;
    }

    @Override
    void update(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        hold(in, inBuf, inOff, length);
    }

    @Override
    void finish(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff)
            throws IllegalBlockSizeException {
        long total = (long) heldLen + length;
        if (total < MIN_LEN || total > MAX_LEN)
            throw new IllegalBlockSizeException("unsupported data unit length: " + total + " bytes; AES-XTS takes "
                    + MIN_LEN + " to " + MAX_LEN);
        if (heldLen > 0 || length > Context.TEXT_LEN && (in == null || out == null)) {
            hold(in, inBuf, inOff, length);
            crypt(held, null, 0, heldLen, out, outBuf, outOff);
        } else {
            crypt(in, inBuf, inOff, length, out, outBuf, outOff);
        }
    }

    /** A long text is in an array, and in one that may be written to if the output isn't. */
    private void crypt(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        Context c = context;
        int status;
        if (length <= Context.TEXT_LEN) {
            c.putText(in, inBuf, inOff, length);
            status = c.xts(c.address, !encrypting, null, 0, length, null, 0);
            if (encrypting)
                c.getText(out, outBuf, outOff, length);
            else
                c.takeText(out, outBuf, outOff, length);
        } else if (out != null) {
            status = c.xts(c.address, !encrypting, in, inOff, length, out, outOff);
        } else {
            status = c.xts(c.address, !encrypting, in, inOff, length, in, inOff);
            outBuf.put(outOff, in, inOff, length);
        }
        if (status != 0)
            throw Context.failure(status);
    }
}
