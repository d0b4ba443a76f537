/**
 * Delayed events: their queue, the order of the events of a key, their release, and retries (events
 * that are metered again). Start at {@link io.sluice.topology.delay.DelayPath}, then {@code
 * ShaperProcessor}. This package calls {@code store}, {@code intake}, {@code redis} and the
 * packages below them.
 */
package io.sluice.topology.delay;
