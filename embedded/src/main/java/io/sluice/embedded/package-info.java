/**
 * A real Kafka broker and a real {@code redis-server}, started by this process for a quick start or
 * for a test. Start reading at {@link io.sluice.embedded.EmbeddedKafka} and {@link
 * io.sluice.embedded.EmbeddedRedis}; {@link io.sluice.embedded.EmbeddedStartException} says in one
 * line why one of them did not start. Tests make the way to a Redis bad with {@link
 * io.sluice.embedded.Forwarder}, and the server itself slow with {@link
 * io.sluice.embedded.BusyRedis}. It calls no other module.
 */
package io.sluice.embedded;
