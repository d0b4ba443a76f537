/**
 * Metrics and health of an instance, as they are shown outside it. Start at {@link
 * io.sluice.runtime.monitoring.Monitoring}.
 */
package io.sluice.runtime.monitoring;
