/**
 * Metrics and health of an instance, as they are shown outside it. Start at {@link
 * io.sluice.topology.monitoring.Monitoring}.
 */
package io.sluice.topology.monitoring;
