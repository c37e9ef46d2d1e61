// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.bench;

import org.openjdk.jmh.annotations.Param;

public class AesCtr extends CipherBench {
    @Param({"128", "256"})
    int keyBits;

    @Override
    String transformation() {
        return "AES/CTR/NoPadding";
    }

    @Override
    int keyBits() {
        return keyBits;
    }
}
