// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

public class ChaCha20 extends CipherBench {
    @Override
    String transformation() {
        return "ChaCha20";
    }

    @Override
    int keyBits() {
        return 256;
    }
}
