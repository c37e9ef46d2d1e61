// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.HexFormat;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * A nonce and what belongs to it, in DER: an OCTET STRING; for GCM a SEQUENCE of that and of the tag's length in bytes, an INTEGER
 * that is 12 if absent (RFC 5084).
 */
final class NonceParameters extends AlgorithmParametersSpi {
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;

    private static final int DEFAULT_TAG_LEN = 12;

    private final int nonceLen; // 0: GCM
    private byte[] nonce;
    private int tagLen = DEFAULT_TAG_LEN;

    NonceParameters(int nonceLen) {
        this.nonceLen = nonceLen;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        try {
            if (nonceLen == 0 && spec instanceof GCMParameterSpec gcm) {
                if (gcm.getTLen() % 8 != 0)
                    throw new IOException("unsupported tag length: " + gcm.getTLen() + " bits");
                set(gcm.getIV(), gcm.getTLen() / 8);
            } else if (nonceLen != 0 && spec instanceof IvParameterSpec iv) {
                set(iv.getIV(), 0);
            } else {
                throw new InvalidParameterSpecException(
                        "these parameters need " + (nonceLen == 0 ? "a GCMParameterSpec" : "an IvParameterSpec"));
            }
        } catch (IOException e) {
            throw new InvalidParameterSpecException(e.getMessage());
        }
    }

    private void set(byte[] newNonce, int newTagLen) throws IOException {
        if (nonceLen == 0 ? newNonce.length == 0 : newNonce.length != nonceLen)
            throw new IOException("unsupported nonce length: " + newNonce.length + " bytes"
                    + (nonceLen == 0 ? "" : ", not " + nonceLen));
        if (nonceLen == 0 && (newTagLen < 12 || newTagLen > 16))
            throw new IOException("unsupported tag length: " + newTagLen + " bytes; GCM takes 12 to 16");
        nonce = newNonce;
        tagLen = newTagLen;
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        try {
            ByteBuffer all = ByteBuffer.wrap(encoded);
            ByteBuffer in = nonceLen == 0 ? read(all, SEQUENCE) : all;
            ByteBuffer string = read(in, OCTET_STRING);
            byte[] newNonce = new byte[string.remaining()];
            string.get(newNonce);
            int newTagLen = DEFAULT_TAG_LEN;
            if (nonceLen == 0 && in.hasRemaining()) {
                ByteBuffer integer = read(in, INTEGER);
                newTagLen = integer.get();
                if (integer.hasRemaining())
                    throw new IOException("the tag's length has more than one byte");
            }
            if (in.hasRemaining() || all.hasRemaining())
                throw new IOException("unexpected data after the parameters");
            set(newNonce, newTagLen);
        } catch (BufferUnderflowException e) {
            throw new IOException("the parameters are cut off", e);
        }
    }

    /** The contents of the next element. */
    private static ByteBuffer read(ByteBuffer in, int type) throws IOException {
        int found = in.get();
        if (found != type)
            throw new IOException("not the expected DER: element " + found + " instead of " + type);
        int length = in.get();
        if (length < 0) {
            byte[] bytes = new byte[length & 0x7f];
            if (bytes.length == 0 || bytes.length > 4)
                throw new IOException("the parameters have an impossible length");
            in.get(bytes);
            BigInteger big = new BigInteger(1, bytes);
            length = big.bitLength() > 31 ? Integer.MAX_VALUE : big.intValue();
        }
        if (length > in.remaining())
            throw new BufferUnderflowException();
        ByteBuffer contents = in.slice(in.position(), length);
        in.position(in.position() + length);
        return contents;
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        checkFormat(format);
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type) throws InvalidParameterSpecException {
        AlgorithmParameterSpec spec = nonceLen == 0 ? new GCMParameterSpec(8 * tagLen, nonce) : new IvParameterSpec(nonce);
        if (!type.isInstance(spec))
            throw new InvalidParameterSpecException("these parameters give a " + spec.getClass().getSimpleName() + ", not a "
                    + type.getName());
        return type.cast(spec);
    }

    @Override
    protected byte[] engineGetEncoded() {
        byte[] string = element(OCTET_STRING, nonce);
        if (nonceLen != 0)
            return string;
        byte[] integer = tagLen == DEFAULT_TAG_LEN ? new byte[0] : element(INTEGER, (byte) tagLen); // DER leaves defaults out
        byte[] both = new byte[string.length + integer.length];
        System.arraycopy(string, 0, both, 0, string.length);
        System.arraycopy(integer, 0, both, string.length, integer.length);
        return element(SEQUENCE, both);
    }

    private static byte[] element(int type, byte... contents) {
        byte[] length = BigInteger.valueOf(contents.length).toByteArray(); // below 128 it is all there is, and shows no sign
        boolean isLong = contents.length > 127;
        int from = isLong && length[0] == 0 ? 1 : 0;
        ByteBuffer out = ByteBuffer.allocate(1 + (isLong ? 1 : 0) + length.length - from + contents.length);
        out.put((byte) type);
        if (isLong)
            out.put((byte) (0x80 | length.length - from));
        return out.put(length, from, length.length - from).put(contents).array();
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        checkFormat(format);
        return engineGetEncoded();
    }

    private static void checkFormat(String format) throws IOException {
        if (format != null && !format.equalsIgnoreCase("ASN.1"))
            throw new IOException("unsupported format: " + format + "; there is only ASN.1");
    }

    @Override
    protected String engineToString() {
        return "nonce " + HexFormat.of().formatHex(nonce) + (nonceLen == 0 ? ", tag of " + tagLen + " bytes" : "");
    }
}
