/**
 * Kafka cluster of an instance: its topics, rights and group before the start; its threads, brokers
 * and clients while it runs; and past records, for {@code simulate} and {@code ask}. Start at
 * {@link io.sluice.topology.cluster.Cluster}, then {@link
 * io.sluice.topology.cluster.RunningStreams}. It calls {@code intake} and the packages below it.
 */
package io.sluice.topology.cluster;
