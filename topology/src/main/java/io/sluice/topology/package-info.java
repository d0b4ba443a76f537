/**
 * The Kafka Streams application. Start at {@link io.sluice.topology.ThrottleTopology}, which names
 * every node in the order in which an event passes them. Its packages, the lowest first: {@code
 * event}, {@code config}, {@code watch}, {@code metrics}, {@code redis}, {@code intake}, {@code
 * prefetch}, {@code store}, {@code delay} and {@code metering}; {@code simulation} is above this
 * one. Each calls only packages below it.
 */
package io.sluice.topology;
