/**
 * Real Kafka broker and real {@code redis-server}, started by this process for a quick start or a
 * test. Start reading at {@link io.sluice.embedded.EmbeddedKafka} and {@link
 * io.sluice.embedded.EmbeddedRedis}; {@link io.sluice.embedded.EmbeddedStartException} gives in one
 * line the reason for a failed start. Tests disturb the connection to a Redis with {@link
 * io.sluice.embedded.Forwarder}, and slow down the server with {@link
 * io.sluice.embedded.BusyRedis}. The package depends on no other module.
 */
package io.sluice.embedded;
