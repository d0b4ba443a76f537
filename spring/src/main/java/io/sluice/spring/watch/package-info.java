/**
 * Monitoring: counts in Micrometer ({@link io.sluice.spring.watch.CallCounts}) and the actuator's
 * {@link io.sluice.spring.watch.LimitsEndpoint}. The package depends on the other packages of the
 * starter.
 */
package io.sluice.spring.watch;
