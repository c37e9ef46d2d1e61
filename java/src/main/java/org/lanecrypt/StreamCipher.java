// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** AES-CTR and ChaCha20. */
final class StreamCipher extends NativeCipher {
    private static final long CHACHA20_BLOCKS = 1L << 32;

    private int counter; // ChaCha20's first block
    private long left; // bytes of key stream
    private boolean begun; // there is a native state

    StreamCipher(Provider provider, int mode) {
        super(provider, mode, 0);
    }

    @Override
    void init(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] newIv;
        int newCounter = 1;
        if (params == null) {
            newIv = randomBytes(mode == Context.CTR ? 16 : 12, random);
        } else if (mode == Context.CTR && params instanceof IvParameterSpec spec) {
            newIv = spec.getIV();
            if (newIv.length != 16)
                throw new InvalidAlgorithmParameterException("unsupported length of the counter block: " + newIv.length
                        + " bytes; AES-CTR takes 16");
        } else if (mode == Context.CHACHA20 && params instanceof ChaCha20ParameterSpec spec) {
            newIv = spec.getNonce(); // its constructor has seen to the 12 bytes
            newCounter = spec.getCounter();
        } else {
            throw new InvalidAlgorithmParameterException("this cipher needs "
                    + (mode == Context.CTR ? "an IvParameterSpec" : "a ChaCha20ParameterSpec") + ", not a "
                    + params.getClass().getName());
        }
        if (mode == Context.CHACHA20 && !takeNonce(newIv))
            throw new InvalidKeyException(USED_NONCE);
        iv = newIv;
        counter = newCounter;
    }

    @Override
    void begin() {
        context.putNonce(iv);
        begun = false; // the next call starts a state, whatever there is
        left = mode == Context.CTR ? Long.MAX_VALUE : (CHACHA20_BLOCKS - Integer.toUnsignedLong(counter)) * 64;
    }

    @Override
    Class<? extends AlgorithmParameterSpec> specClass() {
        return mode == Context.CTR ? IvParameterSpec.class : null;
    }

    @Override
    AlgorithmParameterSpec spec() {
        return new IvParameterSpec(iv);
    }

    @Override
    String parametersName() {
        return mode == Context.CTR ? "AES" : null;
    }

    @Override
    int updateLen(int length) {
        return length;
    }

    @Override
    long finishLen(int length) {
        return length;
    }

    @Override
    void checkText(int length) {
        if (length > left)
            throw new IllegalStateException("ChaCha20's block counter would pass 2^32 - 1; a new nonce is needed");
    }

    @Override
    void update(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        crypt(in, inBuf, inOff, length, out, outBuf, outOff, 0);
    }

    @Override
    void finish(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        if (mode == Context.CHACHA20 && encrypting)
            useUp();
        crypt(in, inBuf, inOff, length, out, outBuf, outOff, Context.LAST);
    }

    private void crypt(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff, int last) {
        left -= length;
        if (isAhead(in, inBuf, inOff, length, out, outBuf, outOff)) {
            hold(in, inBuf, inOff, length);
            copied(held, null, 0, length, out, outBuf, outOff, last);
            dropHeld();
        } else if (Context.isCopied(in, length, out)) {
            copied(in, inBuf, inOff, length, out, outBuf, outOff, last);
        } else {
            xor(in, inOff, length, out, outOff, last);
        }
    }

    private void copied(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff, int last) {
        int done = 0;
        do {
            int n = Math.min(Context.TEXT_LEN, length - done);
            context.putText(in, inBuf, inOff + done, n);
            xor(null, 0, n, null, 0, done + n == length ? last : 0);
            if (encrypting)
                context.getText(out, outBuf, outOff + done, n);
            else
                context.takeText(out, outBuf, outOff + done, n);
            done += n;
        } while (done < length);
    }

    private void xor(byte[] in, int inOff, int length, byte[] out, int outOff, int last) {
        int status = context.xor(context.address, begun ? last : Context.FIRST | last, counter, in, inOff, length, out, outOff);
        begun = true;
        if (status != 0)
            throw Context.failure(status);
    }
}
