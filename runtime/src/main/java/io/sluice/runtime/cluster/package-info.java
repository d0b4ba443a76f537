/**
 * Kafka cluster of an instance: its topics, rights and group before the start; its threads, brokers
 * and clients while it runs; and past records, for {@code simulate} and {@code ask}. Start at
 * {@link io.sluice.runtime.cluster.Cluster}, then {@link io.sluice.runtime.cluster.RunningStreams}.
 * This package calls {@code monitoring}.
 */
package io.sluice.runtime.cluster;
