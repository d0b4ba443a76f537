/**
 * Counters and timers of an instance. Start at {@link io.sluice.topology.metrics.Instruments}. This
 * package calls {@code event}, {@code config}, {@code watch} and the module of rules.
 */
package io.sluice.topology.metrics;
