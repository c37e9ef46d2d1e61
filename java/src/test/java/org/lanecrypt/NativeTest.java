// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.InvalidKeyException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Native methods refuse what doesn't fit, whatever their callers have checked. */
class NativeTest {
    private static final int[] BAD = { -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 5000 };

    private static Context context(Mode mode) throws InvalidKeyException {
        int number = switch (mode) {
            case AES_GCM -> Context.GCM;
            case CHACHA20_POLY1305 -> Context.CHACHA20_POLY1305;
            case XCHACHA20_POLY1305 -> Context.XCHACHA20_POLY1305;
            case AES_CTR -> Context.CTR;
            case AES_XTS -> Context.XTS;
            case CHACHA20 -> Context.CHACHA20;
        };
        Context c = Context.take(number);
        c.setKey(mode.key(new Random(26)), 0);
        return c;
    }

    private static void refused(int status, String what) {
        assertTrue(status < 0, what);
    }

    @Test
    void rangesOfAMessage() throws InvalidKeyException {
        byte[] a = new byte[4000];
        for (Mode mode : Mode.values()) {
            if (!mode.isAead())
                continue;
            Context c = context(mode);
            long at = c.address;
            int nonceLen = mode.nonceLength;
            for (int bad : BAD) {
                String what = mode + ", " + bad;
                refused(c.update(at, bad, 0, a, 0, 100, a, 0), what + ": nonce");
                refused(c.update(at, nonceLen, bad, a, 0, 100, a, 0), what + ": AAD");
                refused(c.update(at, nonceLen, 0, a, bad, 100, a, 0), what + ": offset of the input");
                refused(c.update(at, nonceLen, 0, a, 0, bad, a, 0), what + ": length");
                refused(c.update(at, nonceLen, 0, a, 0, 100, a, bad), what + ": offset of the output");
                refused(c.update(at, nonceLen, 0, null, 0, bad, null, 0), what + ": length in scratch memory");
                refused(c.aad(at, nonceLen, 0, a, bad, 100), what + ": offset of the AAD");
                refused(c.aad(at, nonceLen, 0, a, 0, bad), what + ": length of the AAD");
                c.reset(at);
                for (boolean decrypt : new boolean[] { false, true }) {
                    refused(c.finish(at, decrypt, bad, 0, 16, a, 0, 100, a, 0), what + ": nonce at the end");
                    refused(c.finish(at, decrypt, nonceLen, bad, 16, a, 0, 100, a, 0), what + ": AAD at the end");
                    refused(c.finish(at, decrypt, nonceLen, 0, bad, a, 0, 100, a, 0), what + ": tag");
                    refused(c.finish(at, decrypt, nonceLen, 0, 16, a, bad, 100, a, 0), what + ": offset at the end");
                    refused(c.finish(at, decrypt, nonceLen, 0, 16, a, 0, bad, a, 0), what + ": length at the end");
                    refused(c.finish(at, decrypt, nonceLen, 0, 16, a, 0, 100, a, bad), what + ": offset of the output at the end");
                    refused(c.finish(at, decrypt, nonceLen, 0, 16, a, 0, decrypt ? 3985 : 3990, a, 0), what + ": room for the tag");
                    refused(c.finishShort(at, decrypt, nonceLen, 0, 16, bad), what + ": short length");
                    refused(c.finishShort(at, decrypt, nonceLen, 0, bad, 100), what + ": tag of a short text");
                }
            }
            c.give();
        }
    }

    @Test
    void rangesOfTheOthers() throws InvalidKeyException {
        byte[] a = new byte[4000];
        for (Mode mode : new Mode[] { Mode.AES_CTR, Mode.CHACHA20, Mode.AES_XTS }) {
            Context c = context(mode);
            for (int bad : BAD) {
                int[][] ranges = { { bad, 100, 0 }, { 0, bad, 0 }, { 0, 100, bad } };
                for (int[] r : ranges)
                    refused(mode == Mode.AES_XTS
                            ? c.xts(c.address, false, a, r[0], r[1], a, r[2])
                            : c.xor(c.address, Context.FIRST | Context.LAST, 1, a, r[0], r[1], a, r[2]), mode + ", " + bad);
            }
            c.give();
        }
    }

    @Test
    void aLongNonceIsOnlyForGcm() throws InvalidKeyException {
        for (Mode mode : Mode.values()) {
            Context c = context(mode);
            int status = c.start(c.address, new byte[200]);
            assertEquals(mode == Mode.AES_GCM, status == 0, mode.name());
            c.give();
        }
    }

    @Test
    void messagesThatEndOutsideOfTheBatch() throws InvalidKeyException {
        for (Mode mode : Mode.values()) {
            if (!mode.isAead())
                continue;
            Context c = context(mode);
            for (int bad : new int[] { -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Context.BATCH_LEN, Context.BATCH_LEN - 47 }) {
                for (int place : new int[] { Context.ITEM_LEN, Context.ITEM_AAD_LEN }) {
                    ByteBuffer batch = ByteBuffer.allocateDirect(Context.BATCH_LEN).order(ByteOrder.nativeOrder());
                    batch.putInt(place, bad);
                    refused(c.many(c.address, false, batch, 1), mode + ", " + bad + " at " + place);
                }
            }
            ByteBuffer full = ByteBuffer.allocateDirect(Context.BATCH_LEN);
            refused(c.many(c.address, false, full, Context.BATCH_LEN / 48 + 1), mode + ": more than there are");
            refused(c.many(c.address, false, ByteBuffer.allocateDirect(100), 1), mode + ": another buffer");
            c.give();
        }
    }

    /** A JVM tells no address of what isn't direct, and may tell none at all. */
    @Test
    void outputWithoutAnAddressIsAhead() {
        ByteBuffer direct = ByteBuffer.allocateDirect(8192);
        ByteBuffer other = ByteBuffer.allocateDirect(8192);
        ByteBuffer heap = ByteBuffer.allocate(8192);
        for (int at : new int[] { 0, 1, 4096, 8191 }) {
            assertTrue(Context.isAhead(heap, 0, 4096, direct, at), at + " after an unknown input");
            assertTrue(Context.isAhead(direct, 0, 4096, heap, at), "unknown output, " + at);
            assertFalse(Context.isAhead(direct, 0, 4096, other, at), "elsewhere, " + at);
            assertEquals(at > 0 && at < 4096, Context.isAhead(direct, 0, 4096, direct, at), at + " after the input");
        }
    }
}
