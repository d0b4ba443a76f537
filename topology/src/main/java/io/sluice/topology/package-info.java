/**
 * The Kafka Streams topology that throttles events. Start at {@link
 * io.sluice.topology.ThrottleTopology}, which names every node in the order in which an event
 * passes them. The packages of the topology are, the lowest first: {@code event}, {@code config},
 * {@code watch}, {@code metrics}, {@code redis}, {@code intake}, {@code prefetch}, {@code store},
 * {@code delay} and {@code metering}, then this package, and {@code simulation} as the highest.
 * Each package calls only packages below it.
 */
package io.sluice.topology;
