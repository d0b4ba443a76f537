/**
 * Rows of bytes in which buckets are stored, and the log of arrivals that may take several rows.
 * Start at {@link io.sluice.limiter.rows.Rows}, which a store implements, and at {@link
 * io.sluice.limiter.rows.LongLog}, a log of any length.
 *
 * <p>The lowest package of the limiter: it knows no quotas and no rules, and uses no other package.
 */
package io.sluice.limiter.rows;
