/**
 * The events that wait: the queue, the order of a key's events, release and retries. Start at
 * {@link io.sluice.topology.delay.DelayPath}, then {@code ShaperProcessor}. It calls {@code store},
 * {@code intake}, {@code redis} and the rooms below.
 */
package io.sluice.topology.delay;
