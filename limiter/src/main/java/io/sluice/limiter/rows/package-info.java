/**
 * Rows of bytes that buckets are kept in, and the log of arrivals that may take several. Start at
 * {@link io.sluice.limiter.rows.Rows}, which a store implements, and at {@link
 * io.sluice.limiter.rows.LongLog}, which remembers arrivals however many there are.
 *
 * <p>The lowest room of the limiter: it knows no quota and no rule, and calls nobody.
 */
package io.sluice.limiter.rows;
