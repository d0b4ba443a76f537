/**
 * Kafka cluster of an instance: its topics, rights and group before the start; its threads, brokers
 * and clients while it runs; past records, for {@code simulate} and {@code ask}; and dead letters
 * that go back to their topics, for {@code redrive}. Start at {@link
 * io.sluice.runtime.cluster.Cluster}, then {@link io.sluice.runtime.cluster.RunningStreams}. This
 * package calls {@code monitoring}.
 */
package io.sluice.runtime.cluster;
