// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.SecretKey;

/**
 * Native memory of one cipher: its expanded key, the state of a message, and scratch memory through which short texts go.  It is
 * wiped and freed when this object isn't reachable any more; so everything that touches it is a method of this class, and either
 * native, which holds `this`, or ends in a fence.
 *
 * A text is given to native code as an array, or without one lies in scratch memory at TEXT; elsewhere a text is in an array or, if
 * that is null, in a buffer.  Native code never touches the memory of a caller's buffer: it may be a mapping of a file that has
 * become shorter, or belong to another thread or to an arena that is closed at any moment, and only the JVM's own get and put see
 * to that.
 */
class Context {
    // The build makes a C header of these.  Modes:
    static final int GCM = 0;
    static final int CHACHA20_POLY1305 = 1;
    static final int XCHACHA20_POLY1305 = 2;
    static final int CTR = 3;
    static final int CHACHA20 = 4;
    static final int XTS = 5;
    // Scratch memory: offsets and lengths.
    static final int NONCE = 0;
    static final int NONCE_LEN = 64;
    static final int AAD = 64;
    static final int AAD_LEN = 448;
    static final int TEXT = 512;
    static final int TEXT_LEN = 2048;
    static final int TAG_LEN = 16; // room for one after the text
    static final int MARK = 2576;
    static final int SCRATCH_LEN = 2584;
    // A batch of messages: offsets in each, of which the first two are lengths; after the AAD lie text and tag.
    static final int ITEM_LEN = 0;
    static final int ITEM_AAD_LEN = 4;
    static final int ITEM_NONCE = 8;
    static final int ITEM_AAD = 32;
    static final int BATCH_LEN = 65536;
    // What native methods return, besides 0 and the core's status values.
    static final int NO_MEMORY = -100;
    static final int WRONG_TAG = -5;
    static final int WRONG_LENGTH = -2;
    static final int WEAK_KEY = -6;
    // Parts of a stream.
    static final int FIRST = 1;
    static final int LAST = 2;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final byte[] ZEROS = new byte[TEXT_LEN];

    /**
     * Contexts without a key, some of each mode, for ciphers that need one only for a message.  Weakly, so that the collector takes
     * those that wait: the Cleaner's thread holds the class loader of each one that lives, which would hold them by this array.
     */
    private static final int NUM_FREE = 8;
    private static final AtomicReferenceArray<WeakReference<Context>> FREE = new AtomicReferenceArray<>(6 * NUM_FREE);

    final long address;
    private final int mode;
    private final ByteBuffer scratch;
    private final Cleaner.Cleanable cleanable;
    private final WeakReference<Context> weak = new WeakReference<>(this);

    Context(int mode) {
        this.mode = mode;
        long memory = create(mode);
        address = memory;
        scratch = scratch(memory);
        cleanable = CLEANER.register(this, new Destroyer(memory));
    }

    private static final class Destroyer implements Runnable {
        private final long memory;

        Destroyer(long memory) {
            this.memory = memory;
        }

        @Override
        public void run() {
            destroy(memory);
        }
    }

    /** Wipes and frees the memory now, and is the last call. */
    final void close() {
        cleanable.clean();
    }

    static Context take(int mode) {
        int first = (int) (Thread.currentThread().getId() % NUM_FREE); // threads don't all begin at one place
        for (int i = 0; i < NUM_FREE; i++) {
            int place = mode * NUM_FREE + (first + i) % NUM_FREE;
            WeakReference<Context> free = FREE.get(place);
            if (free == null || !FREE.compareAndSet(place, free, null))
                continue;
            Context c = free.get();
            if (c != null)
                return c;
        }
        return mode <= XCHACHA20_POLY1305 ? new AeadContext(mode) : new Context(mode);
    }

    /** The counterpart of take: what is in it is wiped, and nobody may use it any more. */
    void give() {
        forget(address);
        int first = (int) (Thread.currentThread().getId() % NUM_FREE);
        for (int i = 0; i < NUM_FREE; i++)
            if (offer(mode * NUM_FREE + (first + i) % NUM_FREE))
                return;
        close();
    }

    /** Puts this into a place that is free, or whose context was collected. */
    private boolean offer(int place) {
        WeakReference<Context> free = FREE.get(place);
        return (free == null || free.get() == null) && FREE.compareAndSet(place, free, weak);
    }

    private static boolean isDestroyed(Key key) {
        return key instanceof SecretKey secret && secret.isDestroyed();
    }

    /** Takes a key; it is expanded unless its bytes are those that this context has already. */
    final void setKey(Key newKey, int wantedLen) throws InvalidKeyException {
        if (newKey == null)
            throw new InvalidKeyException("no key was given");
        if (mode != CHACHA20 && mode != CHACHA20_POLY1305 && mode != XCHACHA20_POLY1305
                && !"AES".equalsIgnoreCase(newKey.getAlgorithm()))
            throw new InvalidKeyException("this cipher needs a key for AES, not for " + newKey.getAlgorithm());
        if (isDestroyed(newKey))
            throw new InvalidKeyException("the key has been destroyed");
        byte[] raw = "RAW".equals(newKey.getFormat()) ? newKey.getEncoded() : null;
        if (raw == null)
            throw new InvalidKeyException("the key's bytes can't be read: its format is " + newKey.getFormat() + ", not RAW");
        try {
            boolean fits = switch (mode) {
                case GCM, CTR -> wantedLen == 0
                        ? raw.length == 16 || raw.length == 24 || raw.length == 32
                        : raw.length == wantedLen;
                case XTS -> raw.length == 32 || raw.length == 64;
                default -> raw.length == 32;
            };
            if (!fits)
                throw new InvalidKeyException("unsupported key length: " + raw.length + " bytes; " + switch (mode) {
                    case GCM, CTR -> wantedLen == 0 ? "AES takes 16, 24 or 32" : "this cipher takes " + wantedLen;
                    case XTS -> "AES-XTS takes 32 or 64";
                    default -> "ChaCha20 takes 32";
                });
            int status = setKey(address, raw);
            if (status == WEAK_KEY)
                throw new InvalidKeyException("the two halves of an AES-XTS key must differ");
            if (status != 0)
                throw failure(status);
        } finally {
            Arrays.fill(raw, (byte) 0);
        }
    }

    /** A number by which a key is known again after its bytes are gone, and from which they can't be had. */
    final long mark() {
        long mark = scratch.getLong(MARK);
        Reference.reachabilityFence(this);
        return mark;
    }

    /** What to throw for a status that has no exception of its own. */
    static RuntimeException failure(int status) {
        if (status == NO_MEMORY)
            throw new OutOfMemoryError("out of native memory");
        if (status == WRONG_LENGTH)
            return new IllegalStateException("the text becomes longer than this cipher allows under one nonce");
        return new ProviderException("lanecrypt: " + Library.explain(status));
    }

    /** Whether a text goes through scratch memory, TEXT_LEN bytes at a time: a short one, and one from or to a buffer. */
    static boolean isCopied(byte[] in, int length, byte[] out) {
        return length <= TEXT_LEN || in == null || out == null;
    }

    final void putNonce(byte[] nonce) {
        scratch.put(NONCE, nonce);
        Reference.reachabilityFence(this);
    }

    final void putAad(int at, byte[] in, ByteBuffer inBuf, int inOff, int length) {
        if (in != null)
            scratch.put(AAD + at, in, inOff, length);
        else
            scratch.put(AAD + at, inBuf, inOff, length);
        Reference.reachabilityFence(this);
    }

    final void putText(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        if (in != null)
            scratch.put(TEXT, in, inOff, length);
        else
            scratch.put(TEXT, inBuf, inOff, length);
        Reference.reachabilityFence(this);
    }

    final void getText(byte[] out, ByteBuffer outBuf, int outOff, int length) {
        if (out != null)
            scratch.get(TEXT, out, outOff, length);
        else
            outBuf.put(outOff, scratch, TEXT, length);
        Reference.reachabilityFence(this);
    }

    /** The same for a plaintext, of which nothing stays here. */
    final void takeText(byte[] out, ByteBuffer outBuf, int outOff, int length) {
        try {
            getText(out, outBuf, outOff, length);
        } finally {
            scratch.put(TEXT, ZEROS, 0, length);
            Reference.reachabilityFence(this);
        }
    }

    static void zero(byte[] out, ByteBuffer outBuf, int outOff, int length) {
        if (out != null) {
            Arrays.fill(out, outOff, outOff + length, (byte) 0);
            return;
        }
        for (int done = 0, n; done < length; done += n) {
            n = Math.min(ZEROS.length, length - done);
            outBuf.put(outOff + done, ZEROS, 0, n);
        }
    }

    // ---- context.c ----
    private static native long create(int mode);

    private static native ByteBuffer scratch(long address);

    private static native void destroy(long address);

    private native int setKey(long address, byte[] raw);

    /** Wipes everything: the context has no key. */
    private native void forget(long address);

    /** Wipes the state of a message that was begun. */
    final native void reset(long address);

    /** Of two direct buffers: whether the output begins within the input, so that its parts would come upon later parts of that. */
    static native boolean isAhead(ByteBuffer inBuf, int inOff, int length, ByteBuffer outBuf, int outOff);

    // ---- aead.c ----

    /** Begins a message whose nonce is longer than NONCE_LEN. */
    final native int start(long address, byte[] nonce);

    /** The next part of the AAD, after aadLen bytes in scratch memory if the message hasn't begun. */
    final native int aad(long address, int nonceLen, int aadLen, byte[] in, int inOff, int length);

    /** Encrypts the next part of the text. */
    final native int update(long address, int nonceLen, int aadLen, byte[] in, int inOff, int length, byte[] out, int outOff);

    /** The rest of the text, or all of it, and the tag, which lies after the ciphertext. */
    final native int finish(long address, boolean decrypt, int nonceLen, int aadLen, int tagLen, byte[] in, int inOff, int length,
            byte[] out, int outOff);

    /** The same for a whole message in scratch memory. */
    final native int finishShort(long address, boolean decrypt, int nonceLen, int aadLen, int tagLen, int length);

    /** Whole messages, one after the other in a batch; their lengths become their status. */
    final native int many(long address, boolean decrypt, ByteBuffer batch, int count);

    // ---- stream.c ----

    /** part: FIRST | LAST. */
    final native int xor(long address, int part, int counter, byte[] in, int inOff, int length, byte[] out, int outOff);

    final native int xts(long address, boolean decrypt, byte[] in, int inOff, int length, byte[] out, int outOff);
}
