/**
 * Limiters whose answer comes later: as a stage, from Redis or from a limiter that waits for
 * permits. Start at {@link io.sluice.limiter.async.AsyncRedisMeter} to ask Redis without holding a
 * thread, at {@link io.sluice.limiter.async.WaitingLimiter} to wait for permits.
 *
 * <p>{@code Gatherer} makes one call of many, by a thread for each server ({@code Askers}); {@code
 * Line} holds those who wait for a key. Calls {@link io.sluice.limiter.redis} and {@link
 * io.sluice.limiter}, and nobody calls it from there.
 */
package io.sluice.limiter.async;
