/**
 * Limiters with state in Redis, shared by every process that meters the same keys. Start at {@link
 * io.sluice.limiter.redis.RedisLimiter} to limit a call in a Java program, and at {@link
 * io.sluice.limiter.redis.RedisMeter} to meter events against several limits at once.
 *
 * <p>{@code MeterScript} decides and charges, in one step for all keys of an arrival; this package
 * sends the arrivals to the script, and derives the decisions from its answers. No other package
 * imports Jedis. Uses {@link io.sluice.limiter}, which does not use this package.
 */
package io.sluice.limiter.redis;
