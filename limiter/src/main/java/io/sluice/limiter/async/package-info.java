/**
 * Asynchronous and waiting limiters. Start at {@link io.sluice.limiter.async.AsyncRedisMeter} to
 * ask Redis without holding a thread, and at {@link io.sluice.limiter.async.WaitingLimiter} to wait
 * for permits.
 *
 * <p>{@link io.sluice.limiter.async.CallBatcher} sends many calls as one; {@code Gatherer} has a
 * batcher for each server ({@code Askers}); {@code WaiterQueue} is the queue of a key's waiters.
 * This package uses {@link io.sluice.limiter.redis} and {@link io.sluice.limiter}, which do not use
 * this package.
 */
package io.sluice.limiter.async;
