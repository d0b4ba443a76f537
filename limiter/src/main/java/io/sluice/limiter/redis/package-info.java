/**
 * The limiter's state in Redis, shared by every process that meters the same keys. Start at {@link
 * io.sluice.limiter.redis.RedisLimiter} to limit a call in a Java program, at {@link
 * io.sluice.limiter.redis.RedisMeter} to meter events against several limits at once.
 *
 * <p>{@code MeterScript} decides and charges, in one step for all keys of an arrival; this package
 * puts the question to it and derives the decisions from what it found. Nothing else imports Jedis.
 * Calls {@link io.sluice.limiter}, and nobody calls it from there.
 */
package io.sluice.limiter.redis;
