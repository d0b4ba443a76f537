/**
 * Exact rate limits. Start at {@link io.sluice.limiter.RateLimiter} to limit a call in a Java
 * program, at {@link io.sluice.limiter.RowMeter} to meter an event against several limits at once,
 * at {@code io.sluice.limiter.async} to wait for permits or to hold no thread, and at {@code
 * io.sluice.limiter.registry} for limiters by configuration.
 *
 * <p>Every time is epoch microseconds in a {@code long}; the algorithms never read a clock. The
 * arithmetic is in {@link io.sluice.limiter.Gcra}, {@code WindowLog}, {@code WindowCounter}, {@code
 * CalendarWindow}, {@code DistinctLog}, {@code DistinctSketch} and {@code BloomState}; {@code
 * Metering} combines several limits, all or nothing.
 *
 * <p>Uses only {@link io.sluice.limiter.rows}, where buckets are stored as bytes, and {@link
 * io.sluice.limiter.filter}.
 */
package io.sluice.limiter;
