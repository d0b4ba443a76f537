/**
 * Access to Redis: the circuit breaker, the queue of questions that wait, and the calls. Start at
 * {@link io.sluice.topology.redis.RedisBreaker}. It calls {@code metrics} and the packages below
 * it.
 */
package io.sluice.topology.redis;
