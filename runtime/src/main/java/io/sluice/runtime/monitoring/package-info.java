/**
 * Metrics and health of an instance, as they are shown to the outside. Start at {@link
 * io.sluice.runtime.monitoring.Monitoring}.
 */
package io.sluice.runtime.monitoring;
