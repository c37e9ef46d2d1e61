// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.InvalidKeyException;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.SecretKey;

/**
 * Many messages under one key in one call, which JCA has no words for: short ones share the cost of a call, and are encrypted
 * side by side.
 *
 * <p>A sealed message is the ciphertext and after it the tag of {@link #TAG_LEN} bytes: what a {@code Cipher} makes.
 * <b>Never use a nonce twice under one key</b>; nothing here looks for that.
 *
 * <p>An object may be shared by threads, which then wait for each other; one for each thread is faster.
 */
public final class Aead implements AutoCloseable {
    /** The authenticated modes. */
    public enum Algorithm {
        /** Keys of 16, 24 or 32 bytes. */
        AES_GCM(Context.GCM, 12),
        /** Keys of 32 bytes. */
        CHACHA20_POLY1305(Context.CHACHA20_POLY1305, 12),
        /** Keys of 32 bytes. Its nonces are long enough to be drawn at random. */
        XCHACHA20_POLY1305(Context.XCHACHA20_POLY1305, 24);

        private final int mode;
        private final int nonceLen;

        Algorithm(int mode, int nonceLen) {
            this.mode = mode;
            this.nonceLen = nonceLen;
        }

        /** How many bytes a nonce has. */
        public int nonceLen() {
            return nonceLen;
        }
    }

    /** How many bytes a sealed message has more than its text. */
    public static final int TAG_LEN = 16;

    private static final byte[] ZEROS = new byte[Context.TEXT_LEN];

    private final Algorithm algorithm;
    private final ByteBuffer batch = ByteBuffer.allocateDirect(Context.BATCH_LEN).order(ByteOrder.nativeOrder());
    private AeadContext context;

    /**
     * Takes a key, whose algorithm is AES or, for the ChaCha20 modes, any.
     *
     * @throws InvalidKeyException if the algorithm has no keys of that length, or the key doesn't give its bytes
     * @throws java.security.ProviderException if the native library couldn't be loaded
     */
    public Aead(Algorithm algorithm, SecretKey key) throws InvalidKeyException {
        LanecryptProvider.requireLoaded();
        this.algorithm = algorithm;
        AeadContext c = new AeadContext(algorithm.mode);
        c.setKey(key, 0);
        context = c;
    }

    /**
     * Encrypts messages.
     *
     * @param nonces one for each message
     * @param aads data that is authenticated and not encrypted, one array for each message; or null: none
     * @param texts the messages
     * @return the sealed messages
     * @throws IllegalArgumentException if the numbers of arrays differ, or a nonce has the wrong length; then nothing was encrypted
     */
    public byte[][] sealMany(byte[][] nonces, byte[][] aads, byte[][] texts) {
        return many(false, nonces.clone(), aads == null ? null : aads.clone(), texts.clone());
    }

    /**
     * Decrypts messages.
     *
     * @param sealed as sealMany has made them, with the same nonces and aads
     * @return the texts; null in place of a message whose tag is wrong
     * @throws IllegalArgumentException as sealMany does
     */
    public byte[][] openMany(byte[][] nonces, byte[][] aads, byte[][] sealed) {
        return many(true, nonces.clone(), aads == null ? null : aads.clone(), sealed.clone());
    }

    /** Wipes the key; no other call may follow. */
    @Override
    public synchronized void close() {
        if (context != null)
            context.close();
        context = null;
    }

    /** The arrays of arrays are our own: whoever puts others into the caller's meanwhile doesn't change what was checked here. */
    private synchronized byte[][] many(boolean decrypt, byte[][] nonces, byte[][] aads, byte[][] in) {
        if (context == null)
            throw new IllegalStateException("this Aead has been closed");
        check(nonces, aads, in);
        byte[][] out = new byte[in.length][];
        for (int i = 0; i < in.length;) {
            int end = fill(decrypt, nonces, aads, in, i);
            if (end == i) {
                out[i] = one(decrypt, nonces[i], aads == null ? null : aads[i], in[i]);
                i++;
            } else {
                int status = context.many(context.address, decrypt, batch, end - i);
                if (status != 0)
                    throw Context.failure(status);
                take(decrypt, aads, in, out, i, end);
                i = end;
            }
        }
        return out;
    }

    private void check(byte[][] nonces, byte[][] aads, byte[][] in) {
        if (nonces.length != in.length || aads != null && aads.length != in.length)
            throw new IllegalArgumentException("the arrays differ in length: " + in.length + " messages, "
                    + nonces.length + " nonces" + (aads == null ? "" : ", " + aads.length + " associated data"));
        for (int i = 0; i < in.length; i++) {
            Objects.requireNonNull(in[i], "a message");
            if (aads != null)
                Objects.requireNonNull(aads[i], "associated data");
            if (nonces[i].length != algorithm.nonceLen)
                throw new IllegalArgumentException("nonce " + i + " has " + nonces[i].length + " bytes; this algorithm needs "
                        + algorithm.nonceLen);
            if (in[i].length > Integer.MAX_VALUE - 8 - TAG_LEN)
                throw new IllegalArgumentException("message " + i + " is too long for an array with its tag");
        }
    }

    private static int length(byte[][] aads, int i) {
        return aads == null ? 0 : aads[i].length;
    }

    /** Puts messages from first on into the batch, as many as have room; answers where they end.  aead.c has the form. */
    private int fill(boolean decrypt, byte[][] nonces, byte[][] aads, byte[][] in, int first) {
        int i = first;
        for (int at = 0; i < in.length; i++) {
            int length = in[i].length - (decrypt ? TAG_LEN : 0);
            int aadLen = length(aads, i);
            int itemLen = Context.ITEM_AAD + aadLen + length + TAG_LEN;
            if (length < 0 || length > Context.TEXT_LEN || aadLen > Context.AAD_LEN || at + itemLen > Context.BATCH_LEN)
                break;
            batch.putInt(at, length).putInt(at + Context.ITEM_AAD_LEN, aadLen).put(at + Context.ITEM_NONCE, nonces[i]);
            if (aadLen > 0)
                batch.put(at + Context.ITEM_AAD, aads[i]);
            batch.put(at + Context.ITEM_AAD + aadLen, in[i]);
            at += itemLen;
        }
        return i;
    }

    /** Takes the results out of the batch; a length has become a status there. */
    private void take(boolean decrypt, byte[][] aads, byte[][] in, byte[][] out, int first, int end) {
        int at = 0;
        for (int i = first; i < end; i++) {
            int outLen = in[i].length + (decrypt ? -TAG_LEN : TAG_LEN);
            int text = at + Context.ITEM_AAD + length(aads, i);
            if (batch.getInt(at) == 0) {
                out[i] = new byte[outLen];
                batch.get(text, out[i]);
            }
            if (decrypt)
                batch.put(text, ZEROS, 0, outLen);
            at = text + (decrypt ? in[i].length : outLen);
        }
    }

    /** A message that doesn't fit into a batch. */
    private byte[] one(boolean decrypt, byte[] nonce, byte[] aad, byte[] in) {
        if (decrypt && in.length < TAG_LEN)
            return null;
        byte[] out = new byte[in.length + (decrypt ? -TAG_LEN : TAG_LEN)];
        context.begin(nonce, TAG_LEN);
        if (aad != null)
            context.aad(aad, null, 0, aad.length);
        if (!decrypt) {
            context.seal(in, null, 0, in.length, out, null, 0);
            return out;
        }
        try {
            context.open(in, null, 0, out.length, out, null, 0);
            return out;
        } catch (AEADBadTagException e) {
            return null;
        }
    }
}
