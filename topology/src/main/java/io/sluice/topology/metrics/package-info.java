/**
 * The metrics and the health of an instance, and where they are served. Start at {@link
 * io.sluice.topology.metrics.Instruments}. It calls the rooms of events, limits, settings and the
 * last minutes.
 */
package io.sluice.topology.metrics;
