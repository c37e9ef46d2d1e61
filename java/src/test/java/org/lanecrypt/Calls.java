// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;

/**
 * Calls of update, updateAAD and doFinal in all their forms, drawn at random. Every form checks that input is consumed and left
 * alone, that output comes where it belongs and nowhere else, and that getOutputSize told the truth.
 */
final class Calls {
    private static final int MARGIN = 40; // bytes before and after the data: more than a vector

    private Calls() {
    }

    /** A buffer and all the memory that it is a part of. */
    private static final class View {
        final ByteBuffer whole;
        final ByteBuffer part;

        View(ByteBuffer whole, ByteBuffer part) {
            this.whole = whole;
            this.part = part;
        }
    }

    /** The text through update and doFinal, cut anywhere. */
    static byte[] crypt(Cipher c, byte[] text, Random random) throws GeneralSecurityException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int done = 0;
        for (int pieces = random.nextInt(5); pieces > 0; pieces--) {
            int n = pieceLength(text.length - done, random);
            byte[] got = call(c, Arrays.copyOfRange(text, done, done + n), false, random);
            out.write(got, 0, got.length);
            done += n;
        }
        byte[] got = call(c, Arrays.copyOfRange(text, done, text.length), true, random);
        out.write(got, 0, got.length);
        return out.toByteArray();
    }

    static byte[] crypt(Cipher c, byte[] aad, byte[] text, Random random) throws GeneralSecurityException {
        aad(c, aad, random);
        return crypt(c, text, random);
    }

    private static int pieceLength(int left, Random random) {
        switch (random.nextInt(4)) {
            case 0:
                return random.nextInt(left + 1);
            case 1:
                return Math.min(left, random.nextInt(40));
            case 2:
                return left & -16;
            default:
                return left;
        }
    }

    static void aad(Cipher c, byte[] aad, Random random) {
        int done = 0;
        while (done < aad.length) {
            int n = 1 + random.nextInt(aad.length - done);
            if (random.nextBoolean()) {
                c.updateAAD(aad, done, n);
            } else {
                ByteBuffer b = input(Arrays.copyOfRange(aad, done, done + n), random);
                c.updateAAD(b);
                assertEquals(0, b.remaining(), "updateAAD left some of its buffer");
            }
            done += n;
        }
        if (random.nextInt(4) == 0)
            c.updateAAD(new byte[0]);
    }

    /** One call of update, or of doFinal if this is the last piece. */
    static byte[] call(Cipher c, byte[] in, boolean last, Random random) throws GeneralSecurityException {
        int bound = c.getOutputSize(in.length);
        byte[] out;
        switch (random.nextInt(in.length == 0 && last ? 7 : 5)) {
            case 0:
                out = newArray(c, in, last, random);
                break;
            case 1:
                out = arrays(c, in, last, bound, random);
                break;
            case 2:
                out = sameArray(c, in, last, bound, random);
                break;
            case 3:
                out = buffers(c, in, last, bound, random);
                break;
            case 4:
                out = sameBuffer(c, in, last, bound, random);
                break;
            case 5:
                out = c.doFinal();
                break;
            default: {
                byte[] a = Mode.bytes(random, bound + 2 * MARGIN);
                byte[] before = a.clone();
                out = taken(before, a, MARGIN, c.doFinal(a, MARGIN));
                break;
            }
        }
        if (last)
            assertEquals(bound, out.length, "getOutputSize before doFinal");
        else
            assertTrue(out.length <= bound, "update returned " + out.length + ", getOutputSize said " + bound);
        return out;
    }

    private static byte[] newArray(Cipher c, byte[] in, boolean last, Random random) throws GeneralSecurityException {
        int offset = random.nextInt(MARGIN);
        byte[] a = Mode.bytes(random, in.length + 2 * MARGIN);
        System.arraycopy(in, 0, a, offset, in.length);
        byte[] before = a.clone();
        byte[] out = last ? c.doFinal(a, offset, in.length) : c.update(a, offset, in.length);
        assertArrayEquals(before, a, "the input was changed");
        return out == null ? new byte[0] : out;
    }

    private static byte[] arrays(Cipher c, byte[] in, boolean last, int bound, Random random) throws GeneralSecurityException {
        int offset = random.nextInt(MARGIN);
        byte[] a = Mode.bytes(random, in.length + 2 * MARGIN);
        System.arraycopy(in, 0, a, offset, in.length);
        byte[] inBefore = a.clone();
        int outOffset = random.nextInt(MARGIN);
        byte[] out = Mode.bytes(random, outOffset + bound + (random.nextBoolean() ? 0 : MARGIN));
        byte[] before = out.clone();
        int n = last ? c.doFinal(a, offset, in.length, out, outOffset) : c.update(a, offset, in.length, out, outOffset);
        assertArrayEquals(inBefore, a, "the input was changed");
        return taken(before, out, outOffset, n);
    }

    private static byte[] sameArray(Cipher c, byte[] in, boolean last, int bound, Random random) throws GeneralSecurityException {
        int[] offsets = overlap(in.length, bound, random);
        byte[] a = Mode.bytes(random, Math.max(offsets[0] + in.length, offsets[1] + bound) + MARGIN);
        System.arraycopy(in, 0, a, offsets[0], in.length);
        byte[] before = a.clone();
        int n = last ? c.doFinal(a, offsets[0], in.length, a, offsets[1]) : c.update(a, offsets[0], in.length, a, offsets[1]);
        return taken(before, a, offsets[1], n);
    }

    private static byte[] buffers(Cipher c, byte[] in, boolean last, int bound, Random random) throws GeneralSecurityException {
        View input = view(in.length, random);
        input.part.duplicate().put(in);
        byte[] inBefore = contents(input.whole);
        ByteBuffer source = random.nextBoolean() ? input.part : input.part.asReadOnlyBuffer();
        View output = view(bound + (random.nextBoolean() ? 0 : 7), random);
        byte[] before = contents(output.whole);
        int start = output.part.position();
        int n = last ? c.doFinal(source, output.part) : c.update(source, output.part);
        assertEquals(0, source.remaining(), "bytes left in the input buffer");
        assertEquals(start + n, output.part.position(), "the output buffer's position");
        assertArrayEquals(inBefore, contents(input.whole), "the input was changed");
        return taken(before, contents(output.whole), MARGIN, n);
    }

    private static byte[] sameBuffer(Cipher c, byte[] in, boolean last, int bound, Random random) throws GeneralSecurityException {
        int[] offsets = overlap(in.length, bound, random);
        int size = Math.max(offsets[0] + in.length, offsets[1] + bound) + MARGIN;
        ByteBuffer whole = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        whole.put(0, Mode.bytes(random, size));
        whole.put(offsets[0], in);
        byte[] before = contents(whole);
        ByteBuffer source = cut(whole, offsets[0], in.length, random);
        ByteBuffer target = cut(whole, offsets[1], bound, random);
        int start = target.position();
        if (random.nextBoolean())
            source = source.asReadOnlyBuffer();
        int n = last ? c.doFinal(source, target) : c.update(source, target);
        assertEquals(0, source.remaining(), "bytes left in the input buffer");
        assertEquals(start + n, target.position(), "the output buffer's position");
        return taken(before, contents(whole), offsets[1], n);
    }

    /** Offsets of input and output in one array: the same, a little before or after, or nothing in common. */
    private static int[] overlap(int inLength, int outLength, Random random) {
        int in = MARGIN;
        switch (random.nextInt(4)) {
            case 0:
                return new int[] { in, in };
            case 1:
                return new int[] { in, random.nextInt(2 * MARGIN) };
            case 2:
                return new int[] { in, random.nextInt(in + inLength + 1) };
            default:
                return new int[] { in + random.nextInt(outLength + 1), random.nextInt(MARGIN) };
        }
    }

    private static View view(int length, Random random) {
        int size = length + 2 * MARGIN;
        ByteBuffer whole = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        whole.put(0, Mode.bytes(random, size));
        return new View(whole, cut(whole, MARGIN, length, random));
    }

    /** The same bytes as a slice from 0, as a slice with a position, or as a duplicate with position and limit. */
    private static ByteBuffer cut(ByteBuffer whole, int offset, int length, Random random) {
        switch (random.nextInt(3)) {
            case 0:
                return whole.slice(offset, length);
            case 1: {
                int before = random.nextInt(offset + 1);
                return whole.slice(offset - before, before + length).position(before);
            }
            default:
                return whole.duplicate().limit(offset + length).position(offset);
        }
    }

    private static ByteBuffer input(byte[] in, Random random) {
        View v = view(in.length, random);
        v.part.duplicate().put(in);
        return random.nextBoolean() ? v.part : v.part.asReadOnlyBuffer();
    }

    static byte[] contents(ByteBuffer b) {
        byte[] a = new byte[b.capacity()];
        b.get(0, a);
        return a;
    }

    /** The n bytes at an offset, after a check that nothing else has changed. */
    private static byte[] taken(byte[] before, byte[] after, int offset, int n) {
        byte[] expected = before.clone();
        System.arraycopy(after, offset, expected, offset, n);
        assertArrayEquals(expected, after, "something was written outside of the " + n + " bytes of output at " + offset);
        return Arrays.copyOfRange(after, offset, offset + n);
    }
}
