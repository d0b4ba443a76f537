package io.sluice.limiter.redis;

/**
 * Owner of a queue, such as the task of a partition, as {@link RedisMeter#takeOver} returns it.
 *
 * @param epoch number of the owner, higher than those of all earlier owners
 */
public record QueueOwner(String queue, long epoch) {}
