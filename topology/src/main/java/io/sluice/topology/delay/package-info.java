/**
 * Delayed events: their queue, the order of a key's events, release and retries. Start at {@link
 * io.sluice.topology.delay.DelayPath}, then {@code ShaperProcessor}. It calls {@code store}, {@code
 * intake}, {@code redis} and the packages below them.
 */
package io.sluice.topology.delay;
