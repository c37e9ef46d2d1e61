// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import javax.crypto.Cipher;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/** Times writing and reading of Parquet, round by round in one JVM, as the first differs from the later ones. See rounds.sh. */
public final class Rounds {
    private static final int ROUNDS = 4;
    private static final int FILES = 2;

    private Rounds() {
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 4) {
            System.err.println("usage: Rounds PROVIDER AES_GCM_V1|AES_GCM_CTR_V1|plain FOLDER ROWS");
            System.exit(2);
        }
        String provider = Cipher.getInstance("AES/GCM/NoPadding").getProvider().getName();
        if (!provider.equals(args[0]))
            throw new IllegalStateException("the first provider of AES-GCM is " + provider + " instead of " + args[0]);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            Dataset<Row> customers = Customers.make(spark, Long.parseLong(args[3]), FILES).persist(StorageLevel.MEMORY_ONLY());
            customers.count();
            for (int round = 1; round <= ROUNDS; ++round) {
                String folder = args[2] + "/" + round;
                String write = time(() -> {
                    if (args[1].equals("plain"))
                        customers.write().option("compression", "uncompressed").parquet(folder);
                    else
                        Customers.write(customers, args[1], 256, folder);
                });
                String read = time(() -> spark.read().parquet(folder).write().format("noop").mode("overwrite").save());
                System.out.println(args[1] + " " + args[0] + " " + round + " " + write + " " + read);
            }
        }
    }

    /** Seconds of the clock, and of the CPU for all threads of this JVM, which others on the machine disturb less. */
    private static String time(Runnable work) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long cpu = system.getProcessCpuTime();
        long clock = System.nanoTime();
        work.run();
        return String.format(Locale.ROOT, "%.3f %.3f", (System.nanoTime() - clock) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9);
    }
}
