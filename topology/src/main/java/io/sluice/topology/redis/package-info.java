/**
 * Access to Redis for metering: the circuit breaker, the queue of events that wait until Redis is
 * back, and the calls. Start at {@link io.sluice.topology.redis.RedisBreaker}. This package calls
 * {@code metrics} and the packages below {@code metrics}.
 */
package io.sluice.topology.redis;
