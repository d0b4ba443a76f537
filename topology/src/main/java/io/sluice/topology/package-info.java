/**
 * The Kafka Streams application: reads its configuration, decodes and meters events, and routes
 * them. Start at {@link io.sluice.topology.Sluice}, then {@link
 * io.sluice.topology.ThrottleTopology}, which names every node in the order in which an event
 * passes them.
 */
package io.sluice.topology;
