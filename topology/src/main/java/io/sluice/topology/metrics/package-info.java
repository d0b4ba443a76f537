/**
 * Metrics and health of an instance, and their registries. Start at {@link
 * io.sluice.topology.metrics.Instruments}. It calls {@code event}, {@code limit}, {@code config}
 * and {@code watch}.
 */
package io.sluice.topology.metrics;
