/**
 * The way to Redis: the circuit breaker, the line of events that wait, and the calls. Start at
 * {@link io.sluice.topology.redis.RedisBreaker}. It calls {@code metrics} and the rooms below.
 */
package io.sluice.topology.redis;
