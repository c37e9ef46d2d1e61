// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.spark;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import org.apache.parquet.format.Util;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Writes and reads encrypted Parquet, and checks data, files, and which provider JCA gives in the driver and in both executors.
 *
 * <p>An ordinary job: it names no provider to JCA, and is compiled without ours. Each check is a line; the first that fails
 * ends it.
 */
public final class EncryptedParquet {
    private static final long ROWS = 20_000;
    private static final int FILES = 4;
    private static final String PARQUET = ".*\\.parquet";
    private static final List<String> TRANSFORMATIONS = List.of("AES/GCM/NoPadding", "AES/CTR/NoPadding");

    private EncryptedParquet() {
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 2 && args.length != 3) {
            System.err.println("usage: EncryptedParquet PROVIDER FOLDER [FOLDER_OF_ANOTHER_RUN]");
            System.exit(2);
        }
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            provider(spark, args[0]);
            Customers.make(spark, ROWS, FILES).createOrReplaceTempView("customers");
            // Both algorithms, and both lengths of keys that Parquet's users choose
            writeAndRead(spark, "AES_GCM_V1", 256, args[1] + "/gcm");
            writeAndRead(spark, "AES_GCM_CTR_V1", 128, args[1] + "/gcm-ctr");
            tamper(spark, args[1] + "/gcm", args[1] + "/changed");
            shuffles(Path.of(spark.conf().get("spark.local.dir")));
            if (args.length == 3) {
                read(spark, args[2] + "/gcm");
                read(spark, args[2] + "/gcm-ctr");
            }
        }
    }

    private static void check(boolean good, String what) {
        if (!good)
            throw new IllegalStateException("this check failed: " + what);
        System.out.println("ok   " + what);
    }

    /** Which provider JCA gives in this JVM. */
    private static String providers(String where) throws GeneralSecurityException {
        StringBuilder line = new StringBuilder(where);
        for (String name : TRANSFORMATIONS)
            line.append(", ").append(name).append(" from ").append(Cipher.getInstance(name).getProvider().getName());
        return line.toString();
    }

    private static void provider(SparkSession spark, String expected) throws GeneralSecurityException {
        String ending = TRANSFORMATIONS.stream().map(t -> ", " + t + " from " + expected).collect(Collectors.joining());
        // One task for each executor, as each has one core, and both are there before the job begins
        List<String> seen = JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(List.of(1, 2), 2)
                .map(i -> providers("executor " + SparkEnv.get().executorId())).collect();
        seen = Stream.concat(Stream.of(providers("driver")), seen.stream()).sorted().collect(Collectors.toList());
        check(seen.equals(List.of("driver" + ending, "executor 0" + ending, "executor 1" + ending)), String.join("; ", seen));
    }

    private static void writeAndRead(SparkSession spark, String algorithm, int keyBits, String folder) throws IOException {
        Customers.write(spark.table("customers"), algorithm, keyBits, folder);
        List<Path> files = files(Path.of(folder), PARQUET);
        check(files.size() == FILES, folder + ": " + files.size() + " files");
        boolean marked = true;
        boolean secret = true;
        boolean clear = true;
        for (Path file : files) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            marked &= content.startsWith("PARE") && content.endsWith("PARE");
            secret &= !content.contains(Customers.SECRET);
            clear &= content.contains(Customers.CLEAR);
        }
        check(marked, folder + ": each file begins and ends with PARE, an encrypted footer's mark");
        check(secret, folder + ": no file shows the text of an encrypted column");
        check(clear, folder + ": each file shows the text of the column left in the clear");
        Set<String> algorithms = new TreeSet<>();
        for (Path file : files)
            algorithms.add(algorithm(Files.readAllBytes(file)));
        check(algorithms.equals(Set.of(algorithm)), folder + ": the files' footers say " + algorithms);
        read(spark, folder);
    }

    /** What an encrypted file says of itself in front of its footer, whose length is the last number in the file. */
    private static String algorithm(byte[] file) throws IOException {
        int len = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        return Util.readFileCryptoMetaData(new ByteArrayInputStream(file, file.length - 8 - len, len)).getEncryption_algorithm()
                .getSetField().getFieldName();
    }

    private static void read(SparkSession spark, String folder) {
        String fault = Customers.fault(spark, folder, ROWS);
        check(fault == null, fault != null ? fault : folder + ": " + ROWS + " rows read, each value right");
    }

    /** A byte changed in the middle of a file has to be noticed. */
    private static void tamper(SparkSession spark, String from, String to) throws IOException {
        Files.createDirectory(Path.of(to));
        Path file = files(Path.of(from), PARQUET).get(0);
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 1;
        Files.write(Path.of(to, file.getFileName().toString()), content);
        Throwable refusal = null;
        try {
            Customers.fault(spark, to, ROWS);
        } catch (Exception e) {
            for (refusal = e; refusal.getCause() != null;)
                refusal = refusal.getCause();
        }
        check(refusal instanceof AEADBadTagException, to + ": a changed byte gives " + refusal);
    }

    /** What a shuffle leaves on disk is rows as they are in memory, unless it is encrypted. */
    private static void shuffles(Path localDir) throws IOException {
        int found = 0;
        for (Path file : files(localDir, "shuffle_.*\\.data")) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            if (content.contains(Customers.SECRET) || content.contains(Customers.CLEAR))
                throw new IllegalStateException(file + ": a shuffle's file shows text of the rows");
            if (content.length() > 0)
                ++found;
        }
        check(found > 0, localDir + ": " + found + " files of shuffles, and none shows text of the rows");
    }

    private static List<Path> files(Path folder, String name) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().matches(name)).sorted().collect(Collectors.toList());
        }
    }
}
