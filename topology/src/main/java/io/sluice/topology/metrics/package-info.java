/**
 * Counters and timers of an instance. Start at {@link io.sluice.topology.metrics.Instruments}. This
 * package calls {@code event}, {@code limit}, {@code config} and {@code watch}.
 */
package io.sluice.topology.metrics;
