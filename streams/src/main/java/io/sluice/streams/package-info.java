/**
 * Limits for streams of your own Kafka Streams application. Start at {@link
 * io.sluice.streams.Throttle}; then read {@code EntryProcessor}, where records enter. The nodes
 * that meter and delay are in {@code io.sluice.topology}.
 */
package io.sluice.streams;
