// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/** What all ciphers share: the calls of CipherSpi become those of update and finish, for arrays and buffers alike. */
abstract class NativeCipher extends CipherSpi {
    static final String USED_NONCE = "this nonce was already used with this key: every encryption needs a new one";

    private static final byte[] EMPTY = new byte[0];

    /** What a later message may reuse of the memory in which a text was collected. */
    private static final int MAX_KEPT_LEN = (1 << 20) + 64;

    final int mode;
    private final Provider provider;
    private final int keyLen; // or 0: any that the cipher has
    private final AtomicReference<Thread> user = new AtomicReference<>(); // whose call is going on
    private Key key;
    private long keyMark;
    private boolean keepsContext; // it has had one key for two messages
    private byte[] encryptedIv; // of the last encryption, and its key's mark
    private long encryptedKey;
    private byte[] lastIv; // of the last init
    private long lastKey;
    private boolean ready; // initialised, and not used up
    Context context; // null between messages, unless it is kept
    boolean encrypting;
    byte[] iv;
    byte[] held = EMPTY; // texts that come out only at the end
    int heldLen;

    NativeCipher(Provider provider, int mode, int keyLen) {
        this.provider = provider;
        this.mode = mode;
        this.keyLen = keyLen;
    }

    /** Sets iv and whatever else a message needs; the key is in the context.  params may be null, and random as well. */
    abstract void init(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException;

    /** Puts a message's nonce into the context. */
    abstract void begin();

    /** The class of parameters that stand in an AlgorithmParameters. */
    abstract Class<? extends AlgorithmParameterSpec> specClass();

    abstract AlgorithmParameterSpec spec();

    /** The name of its AlgorithmParameters, or null. */
    abstract String parametersName();

    /** How many bytes update and finish give out for length bytes more. */
    abstract int updateLen(int length);

    abstract long finishLen(int length);

    /** The text is in an array, or if that is null in a buffer; the output has room for updateLen(length) bytes from outOff on. */
    abstract void update(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff);

    /** The same with the end of the text, and finishLen(length) bytes. */
    abstract void finish(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff)
            throws AEADBadTagException, IllegalBlockSizeException;

    /** Throws if no text of length bytes more can be taken; then nothing has happened. */
    void checkText(int length) { }

    /** Throws if no associated data can be taken; then nothing has happened. */
    void checkAad() {
        throw new UnsupportedOperationException("this cipher takes no associated data");
    }

    void updateAad(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        throw new AssertionError();
    }

    // ---- One thread at a time ----

    /**
     * Ciphers aren't for sharing. Where it happens, it must end neither in native code nor in somebody else's message.
     *
     * False if this thread is inside already, and so doesn't leave with this call: a key object calls its cipher, or an error that
     * JDK 17 throws late, for a mapping without memory, came before exit().
     */
    private boolean enter() {
        Thread self = Thread.currentThread();
        if (user.compareAndSet(null, self))
            return true;
        if (user.get() != self)
            throw new IllegalStateException("this Cipher is in use by another thread; each thread needs its own");
        return false;
    }

    private void exit(boolean entered) {
        if (entered)
            user.setRelease(null);
    }

    // ---- The key and the context ----

    /**
     * A context is kept once it has paid: a cipher that is made for a single message gives it back at the end of that, as its
     * native memory would have to wait for a garbage collection that doesn't know of its weight.
     */
    private void useKey(Key newKey) throws InvalidKeyException {
        if (context == null)
            setKey(Context.take(mode), newKey);
        else if (newKey != key || newKey.getClass() != SecretKeySpec.class) // the same object may have other bytes
            setKey(context, newKey);
        long mark = context.mark();
        keepsContext = mark == keyMark;
        keyMark = mark;
        key = newKey;
    }

    /** If the key is refused, the one before it is wiped as well. */
    private void setKey(Context c, Key newKey) throws InvalidKeyException {
        context = null;
        try {
            c.setKey(newKey, keyLen);
            context = c;
        } finally {
            if (context == null)
                c.give();
        }
    }

    /** The next message is one with the same key and nonce, or there is none. */
    private void endMessage() {
        dropHeld();
        if (!keepsContext) {
            Context c = context;
            context = null;
            c.give();
        } else if (ready) {
            begin();
        }
    }

    /** For a message with the same key and nonce as the one before. */
    private void checkReady() {
        if (!ready)
            throw new IllegalStateException(iv == null
                    ? "the cipher must be initialised first"
                    : "the cipher must be initialised again with a new nonce: a message has used this one, or failed");
        if (context != null)
            return;
        try {
            setKey(Context.take(mode), key);
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("the cipher must be initialised again: " + e.getMessage(), e);
        }
        if (context.mark() != keyMark) {
            context.give();
            context = null;
            throw new IllegalStateException("the cipher must be initialised again: the key's bytes have changed");
        }
        keepsContext = true;
        begin();
    }

    // ---- For the subclasses ----

    /** The nonce is used up with the message that ends now, or ends if what comes now fails half-way, as a buffer can. */
    final void useUp() {
        ready = false;
    }

    /**
     * Remembers the nonce of an init; false if it is one for encryption that must not be: that of the last encryption, under the
     * same key, and, as SunJCE has it for ChaCha20, that of a decryption just before.
     */
    final boolean takeNonce(byte[] newIv) {
        if (encrypting && (isLast(newIv, encryptedIv, encryptedKey) || isChaCha20() && isLast(newIv, lastIv, lastKey)))
            return false;
        if (encrypting) {
            encryptedIv = newIv;
            encryptedKey = keyMark;
        }
        lastIv = newIv;
        lastKey = keyMark;
        return true;
    }

    private boolean isLast(byte[] newIv, byte[] thatIv, long thatKey) {
        return thatKey == keyMark && Arrays.equals(newIv, thatIv);
    }

    /** Adds a text to what is held. */
    final void hold(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        if (length > held.length - heldLen) {
            if (length > Integer.MAX_VALUE - 8 - heldLen)
                throw new IllegalStateException("a message of more than 2 GiB can't be collected from several calls");
            byte[] larger = new byte[(int) Math.min(Math.max(2L * held.length, (long) heldLen + length), Integer.MAX_VALUE - 8)];
            System.arraycopy(held, 0, larger, 0, heldLen);
            Arrays.fill(held, 0, heldLen, (byte) 0);
            held = larger;
        }
        int at = heldLen;
        heldLen += length; // first, as what a copy has left behind that fails has to be wiped too
        if (in != null)
            System.arraycopy(in, inOff, held, at, length);
        else
            inBuf.get(inOff, held, at, length);
    }

    final void dropHeld() {
        if (heldLen == 0)
            return;
        Arrays.fill(held, 0, heldLen, (byte) 0);
        heldLen = 0;
        if (held.length > MAX_KEPT_LEN)
            held = EMPTY;
    }

    /**
     * Whether output that goes through scratch memory would come upon input that wasn't read yet, which then has to be held.  A
     * read-only buffer over an array doesn't say over which.
     */
    static boolean isAhead(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff) {
        if (in != null || length <= Context.TEXT_LEN)
            return false;
        return inBuf.isDirect() ? out == null && Context.isAhead(inBuf, inOff, length, outBuf, outOff) : out != null;
    }

    static byte[] randomBytes(int length, SecureRandom random) {
        byte[] bytes = new byte[length];
        (random != null ? random : Random.INSTANCE).nextBytes(bytes);
        return bytes;
    }

    private static final class Random {
        static final SecureRandom INSTANCE = new SecureRandom();
    }

    // ---- CipherSpi ----

    @Override
    protected void engineSetMode(String name) throws NoSuchAlgorithmException {
        if (!name.equalsIgnoreCase("None"))
            throw new NoSuchAlgorithmException("unsupported mode: " + name);
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        if (!name.equalsIgnoreCase("NoPadding"))
            throw new NoSuchPaddingException("unsupported padding: " + name + "; there is only NoPadding");
    }

    @Override
    protected int engineGetBlockSize() {
        return isChaCha20() ? 0 : 16;
    }

    private boolean isChaCha20() {
        return mode == Context.CHACHA20 || mode == Context.CHACHA20_POLY1305 || mode == Context.XCHACHA20_POLY1305;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        byte[] raw = key.getEncoded();
        if (raw == null)
            throw new InvalidKeyException("the key's bytes can't be read");
        Arrays.fill(raw, (byte) 0);
        return 8 * raw.length;
    }

    @Override
    protected int engineGetOutputSize(int length) {
        long n = finishLen(length);
        if (n > Integer.MAX_VALUE)
            throw new IllegalArgumentException("the output would have " + n + " bytes, too many for an array");
        return (int) n;
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (iv == null || parametersName() == null)
            return null;
        NonceParameters spi = new NonceParameters(mode == Context.GCM ? 0 : iv.length);
        AlgorithmParameters params = new AlgorithmParameters(spi, provider, parametersName()) { };
        try {
            params.init(spec());
        } catch (InvalidParameterSpecException e) {
            throw new AssertionError(e);
        }
        return params;
    }

    @Override
    protected void engineInit(int opmode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(opmode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameters params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        AlgorithmParameterSpec spec = null;
        if (params != null) {
            if (specClass() == null)
                throw new InvalidAlgorithmParameterException("this cipher needs a ChaCha20ParameterSpec, not AlgorithmParameters");
            try {
                spec = params.getParameterSpec(specClass());
            } catch (InvalidParameterSpecException e) {
                throw new InvalidAlgorithmParameterException("this cipher takes no parameters for " + params.getAlgorithm(), e);
            }
        }
        engineInit(opmode, key, spec, random);
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (opmode != Cipher.ENCRYPT_MODE && opmode != Cipher.DECRYPT_MODE && mode != Context.GCM && mode != Context.CTR)
            throw new UnsupportedOperationException("this cipher can't wrap keys; AES-GCM and AES-CTR can");
        boolean entered = enter();
        try {
            ready = false;
            encrypting = opmode == Cipher.ENCRYPT_MODE || opmode == Cipher.WRAP_MODE;
            dropHeld();
            useKey(key);
            if (params == null && !encrypting)
                throw new InvalidKeyException("decryption needs parameters with the nonce");
            init(params, random);
            begin();
            ready = true;
        } finally {
            exit(entered);
        }
    }

    @Override
    protected void engineUpdateAAD(byte[] in, int inOff, int length) {
        guardedAad(in, null, inOff, length);
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer in) {
        guardedAad(array(in), in, offset(in), in.remaining());
        in.position(in.limit());
    }

    private void guardedAad(byte[] in, ByteBuffer inBuf, int inOff, int length) {
        boolean entered = enter();
        try {
            checkReady();
            checkAad();
            checkRange(in, inBuf, inOff, length);
            useUp();
            updateAad(in, inBuf, inOff, length);
            ready = true;
        } finally {
            exit(entered);
        }
    }

    private int guardedUpdate(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff,
            int room) throws ShortBufferException {
        boolean entered = enter();
        try {
            checkReady();
            int n = checkRoom(room, updateLen(length));
            checkText(length);
            checkRange(in, inBuf, inOff, length);
            checkRange(out, outBuf, outOff, n);
            useUp();
            update(in, inBuf, inOff, length, out, outBuf, outOff);
            ready = true;
            return n;
        } finally {
            exit(entered);
        }
    }

    private int guardedFinish(byte[] in, ByteBuffer inBuf, int inOff, int length, byte[] out, ByteBuffer outBuf, int outOff,
            int room) throws ShortBufferException, AEADBadTagException, IllegalBlockSizeException {
        boolean entered = enter();
        try {
            checkReady();
            int n = checkRoom(room, finishLen(length));
            checkText(length);
            checkRange(in, inBuf, inOff, length);
            checkRange(out, outBuf, outOff, n);
            try {
                finish(in, inBuf, inOff, length, out, outBuf, outOff);
            } finally {
                endMessage();
            }
            return n;
        } finally {
            exit(entered);
        }
    }

    /** Before anything happens: with a larger output the same call can be made again. */
    private static int checkRoom(int room, long needed) throws ShortBufferException {
        if (room < needed)
            throw new ShortBufferException("the output has room for " + Math.max(room, 0) + " bytes; " + needed + " are needed");
        return (int) needed;
    }

    /** What native code gets was checked here, also if another thread has moved a buffer's position meanwhile. */
    private static void checkRange(byte[] array, ByteBuffer buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array != null ? array.length : buffer.capacity());
    }

    @Override
    protected byte[] engineUpdate(byte[] in, int inOff, int length) {
        byte[] out = new byte[updateLen(length)];
        try {
            guardedUpdate(in, null, inOff, length, out, null, 0, out.length);
        } catch (ShortBufferException e) {
            throw new IllegalStateException(e);
        }
        return out.length == 0 ? null : out;
    }

    @Override
    protected int engineUpdate(byte[] in, int inOff, int length, byte[] out, int outOff) throws ShortBufferException {
        return guardedUpdate(in, null, inOff, length, out, null, outOff, out.length - outOff);
    }

    @Override
    protected byte[] engineDoFinal(byte[] in, int inOff, int length) throws AEADBadTagException, IllegalBlockSizeException {
        byte[] out = new byte[engineGetOutputSize(length)];
        try {
            guardedFinish(in != null ? in : EMPTY, null, inOff, length, out, null, 0, out.length);
        } catch (ShortBufferException e) {
            throw new IllegalStateException(e);
        }
        return out;
    }

    @Override
    protected int engineDoFinal(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException, AEADBadTagException, IllegalBlockSizeException {
        return guardedFinish(in != null ? in : EMPTY, null, inOff, length, out, null, outOff, out.length - outOff);
    }

    @Override
    protected int engineUpdate(ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        int n = out.hasArray()
                ? guardedUpdate(array(in), in, offset(in), in.remaining(), out.array(), null, offset(out), out.remaining())
                : guardedUpdate(array(in), in, offset(in), in.remaining(), null, writable(out), out.position(), out.remaining());
        in.position(in.limit());
        out.position(out.position() + n);
        return n;
    }

    @Override
    protected int engineDoFinal(ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, AEADBadTagException, IllegalBlockSizeException {
        int n = out.hasArray()
                ? guardedFinish(array(in), in, offset(in), in.remaining(), out.array(), null, offset(out), out.remaining())
                : guardedFinish(array(in), in, offset(in), in.remaining(), null, writable(out), out.position(), out.remaining());
        in.position(in.limit());
        out.position(out.position() + n);
        return n;
    }

    private static byte[] array(ByteBuffer buffer) {
        return buffer.hasArray() ? buffer.array() : null;
    }

    private static int offset(ByteBuffer buffer) {
        return buffer.hasArray() ? buffer.arrayOffset() + buffer.position() : buffer.position();
    }

    private static ByteBuffer writable(ByteBuffer out) {
        if (out.isReadOnly())
            throw new ReadOnlyBufferException();
        return out;
    }

    @Override
    protected byte[] engineWrap(Key key) throws InvalidKeyException, IllegalBlockSizeException {
        byte[] raw = key.getEncoded();
        if (raw == null || raw.length == 0)
            throw new InvalidKeyException("the bytes of the key to be wrapped can't be read");
        try {
            return engineDoFinal(raw, 0, raw.length);
        } catch (AEADBadTagException e) {
            throw new AssertionError(e);
        } finally {
            Arrays.fill(raw, (byte) 0);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int type) throws InvalidKeyException, NoSuchAlgorithmException {
        byte[] raw = null;
        try {
            raw = engineDoFinal(wrapped, 0, wrapped.length);
            return switch (type) {
                case Cipher.SECRET_KEY -> new SecretKeySpec(raw, algorithm);
                case Cipher.PUBLIC_KEY -> KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(raw));
                case Cipher.PRIVATE_KEY -> KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(raw));
                default -> throw new InvalidKeyException("unknown type of key: " + type);
            };
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new InvalidKeyException("the key can't be unwrapped: " + e.getMessage(), e);
        } finally {
            if (raw != null)
                Arrays.fill(raw, (byte) 0);
        }
    }
}
