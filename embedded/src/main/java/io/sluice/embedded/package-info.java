/**
 * A real Kafka broker and a real {@code redis-server}, started by this process for a quick start or
 * for a test. Start reading at {@link io.sluice.embedded.EmbeddedKafka} and {@link
 * io.sluice.embedded.EmbeddedRedis}; the other public type, {@link
 * io.sluice.embedded.EmbeddedStartException}, says in one line why one of them did not start.
 */
package io.sluice.embedded;
