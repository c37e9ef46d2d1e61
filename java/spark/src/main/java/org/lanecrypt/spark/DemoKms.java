// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.spark;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.crypto.ParquetCryptoRuntimeException;
import org.apache.parquet.crypto.keytools.KeyToolkit;
import org.apache.parquet.crypto.keytools.KmsClient;

/** Stands in for a key management service: a master key is the hash of its name. For tests only, as it keeps nothing secret. */
public final class DemoKms implements KmsClient {
    @Override
    public void initialize(Configuration conf, String instanceId, String instanceUrl, String accessToken) {
    }

    @Override
    public String wrapKey(byte[] key, String masterKeyName) {
        return KeyToolkit.encryptKeyLocally(key, masterKey(masterKeyName), masterKeyName.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public byte[] unwrapKey(String wrappedKey, String masterKeyName) {
        return KeyToolkit.decryptKeyLocally(wrappedKey, masterKey(masterKeyName), masterKeyName.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] masterKey(String name) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new ParquetCryptoRuntimeException("no SHA-256", e);
        }
    }
}
