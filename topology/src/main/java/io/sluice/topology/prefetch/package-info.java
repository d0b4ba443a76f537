/**
 * The questions to Redis about whole polls, ahead of processing. Start at {@link
 * io.sluice.topology.prefetch.Prefetch}. It calls {@code intake}, {@code redis} and the rooms
 * below.
 */
package io.sluice.topology.prefetch;
