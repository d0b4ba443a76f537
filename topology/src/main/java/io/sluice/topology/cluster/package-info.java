/**
 * The Kafka cluster of an instance: its topics, rights and group before the start; its threads,
 * brokers and clients while it runs; and its input topics' past, for {@code simulate}. Start at
 * {@link io.sluice.topology.cluster.Cluster}, then {@link
 * io.sluice.topology.cluster.RunningStreams}. It calls {@code intake} and the rooms below.
 */
package io.sluice.topology.cluster;
