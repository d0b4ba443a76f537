/**
 * Questions to Redis about whole polls, ahead of processing. Start at {@link
 * io.sluice.topology.prefetch.Prefetch}. It calls {@code intake}, {@code redis} and the packages
 * below them.
 */
package io.sluice.topology.prefetch;
