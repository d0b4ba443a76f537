/**
 * Limits for a stream of a Kafka Streams application of one's own. Start at {@link
 * io.sluice.streams.Throttle}; then {@code EntryProcessor}, the only node of it among the
 * application's own. All that meters and delays is in {@code io.sluice.topology}.
 */
package io.sluice.streams;
