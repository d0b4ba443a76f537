/**
 * Meters arrivals against quotas, exactly. Start at {@link io.sluice.limiter.RateLimiter} to limit
 * a call in a Java program, at {@link io.sluice.limiter.RowMeter} to meter an event against several
 * limits at once; at {@code io.sluice.limiter.async} to wait for permits, or to hold no thread; at
 * {@code io.sluice.limiter.registry} for limiters by configuration.
 *
 * <p>Every time is epoch microseconds in a {@code long}; nothing in this package reads a clock. The
 * arithmetic is in {@link io.sluice.limiter.Gcra}, {@code WindowLog}, {@code WindowCounter}, {@code
 * CalendarWindow}, {@code DistinctLog}, {@code DistinctSketch} and {@code BloomState}; {@code
 * Metering} joins several of them, all or nothing.
 *
 * <p>Calls {@link io.sluice.limiter.rows}, where buckets are kept as bytes, {@link
 * io.sluice.limiter.filter}, and no other room.
 */
package io.sluice.limiter;
