// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;

/** A context with one message of an authenticated mode.  Short AAD waits in scratch memory, for one native call with the text. */
final class AeadContext extends Context {
    private byte[] nonce;
    private int tagLen;
    private int aadLen; // in scratch memory
    private boolean begun; // there may be a native state

    AeadContext(int mode) {
        super(mode);
    }

    /** The next message's nonce, which isn't copied. */
    void begin(byte[] newNonce, int newTagLen) {
        nonce = newNonce;
        tagLen = newTagLen;
        aadLen = 0;
        if (newNonce.length <= NONCE_LEN)
            putNonce(newNonce);
        if (begun) {
            begun = false;
            reset(address);
        }
    }

    @Override
    void give() {
        begun = false; // give() wipes the native state as well
        super.give();
    }

    /** A nonce that has no place in scratch memory makes a native state at once. */
    private void beginIfLong() {
        if (nonce.length > NONCE_LEN && !begun) {
            begun = true;
            check(start(address, nonce));
        }
    }

    private static void check(int status) {
        if (status != 0)
            throw failure(status);
    }

    void aad(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        beginIfLong();
        if (!begun && length <= AAD_LEN - aadLen) {
            putAad(aadLen, in, inBuf, inOff, length);
            aadLen += length;
            return;
        }
        begun = true;
        if (in != null) {
            check(aad(address, nonce.length, aadLen, in, inOff, length));
            return;
        }
        for (int done = 0, n; done < length; done += n) {
            n = Math.min(TEXT_LEN, length - done);
            putText(null, inBuf, inOff + done, n);
            check(aad(address, nonce.length, aadLen, null, 0, n));
        }
    }

    /** Encrypts the next part of a text.  Output that is in a buffer isn't ahead of its input. */
    void update(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        beginIfLong();
        begun = true;
        if (!isCopied(in, length, out)) {
            check(update(address, nonce.length, aadLen, in, inOff, length, out, outOff));
            return;
        }
        for (int done = 0, n; done < length; done += n) {
            n = Math.min(TEXT_LEN, length - done);
            putText(in, inBuf, inOff + done, n);
            check(update(address, nonce.length, aadLen, null, 0, n, null, 0));
            getText(out, outBuf, outOff + done, n);
        }
    }

    /** Encrypts what is left of the text, and writes the tag after it.  Output that is in a buffer isn't ahead of its input. */
    void seal(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        beginIfLong();
        if (!isCopied(in, length, out)) {
            check(finish(address, false, nonce.length, aadLen, tagLen, in, inOff, length, out, outOff));
        } else {
            int head = Math.max(length - 1, 0) / TEXT_LEN * TEXT_LEN;
            int last = length - head;
            if (head > 0)
                update(in, inBuf, inOff, head, out, outBuf, outOff);
            putText(in, inBuf, inOff + head, last);
            check(finishShort(address, false, nonce.length, aadLen, tagLen, last));
            getText(out, outBuf, outOff + head, last + tagLen);
        }
        begun = false;
        aadLen = 0;
    }

    /**
     * Decrypts a whole text, of length bytes, after which comes the tag; if that is wrong, the output becomes zeros.  A long text
     * is in an array, and in one that may be written to if the output isn't: a buffer gets nothing before the tag was right.
     */
    void open(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff)
            throws AEADBadTagException {
        beginIfLong();
        int status;
        if (length <= TEXT_LEN) {
            putText(in, inBuf, inOff, length + tagLen);
            status = finishShort(address, true, nonce.length, aadLen, tagLen, length);
            takeText(out, outBuf, outOff, length);
        } else if (out != null) {
            status = finish(address, true, nonce.length, aadLen, tagLen, in, inOff, length, out, outOff);
        } else {
            status = finish(address, true, nonce.length, aadLen, tagLen, in, inOff, length, in, inOff);
            if (status == 0)
                outBuf.put(outOff, in, inOff, length);
        }
        begun = false;
        aadLen = 0;
        if (status == 0)
            return;
        zero(out, outBuf, outOff, length);
        if (status == WRONG_TAG)
            throw new AEADBadTagException("wrong tag: the text, associated data, nonce or key differs from that of the encryption");
        throw failure(status);
    }
}
