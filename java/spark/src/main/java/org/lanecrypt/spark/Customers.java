// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.countDistinct;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.split;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table in which every column follows from the id, so that each value read can be checked by itself. */
final class Customers {
    /** Occurs in each name, which is encrypted, */
    static final String SECRET = "Customer-";
    /** and in the region, which is not. */
    static final String CLEAR = "Region-North";

    private static final Column AMOUNT = col("id").multiply(7919).mod(1_000_003);
    private static final Column NAME = concat(lit(SECRET), col("id").multiply(col("id")));
    private static final Column REGION = element_at(split(lit(CLEAR + ",Region-East,Region-South,Region-West"), ","),
            col("id").mod(4).plus(1).cast("int"));

    private Customers() {
    }

    static Dataset<Row> make(SparkSession spark, long rows, int files) {
        // The rows go through a shuffle, which is what spark.io.encryption is about.
        return spark.range(0, rows, 1, files).withColumn("amount", AMOUNT).withColumn("name", NAME).withColumn("region", REGION)
                .repartition(files, col("id"));
    }

    /** Write with the column's keys by their names in the key management service. */
    static void write(Dataset<Row> customers, String algorithm, int keyBits, String folder) {
        customers.write()
                .option("parquet.encryption.column.keys", "people:id,amount,name")
                .option("parquet.encryption.footer.key", "footers")
                .option("parquet.encryption.algorithm", algorithm)
                .option("parquet.encryption.data.key.length.bits", keyBits)
                .option("compression", "uncompressed")
                .parquet(folder);
    }

    /** Read all; say what is wrong with it, or null. */
    static String fault(SparkSession spark, String folder, long rows) {
        Column right = col("amount").eqNullSafe(AMOUNT).and(col("name").eqNullSafe(NAME))
                .and(col("region").eqNullSafe(REGION)).and(col("id").between(0, rows - 1));
        Row seen = spark.read().parquet(folder).agg(count(lit(1)), countDistinct("id"), count_if(not(right))).first();
        return seen.getLong(0) == rows && seen.getLong(1) == rows && seen.getLong(2) == 0 ? null : folder + ": " + seen.getLong(0)
                + " rows instead of " + rows + ", " + seen.getLong(1) + " of them distinct, " + seen.getLong(2) + " wrong";
    }
}
