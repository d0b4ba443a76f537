/**
 * Metering in Redis of all events of a poll before they are processed. Start at {@link
 * io.sluice.topology.prefetch.Prefetch}. This package calls {@code intake}, {@code redis} and the
 * packages below them.
 */
package io.sluice.topology.prefetch;
