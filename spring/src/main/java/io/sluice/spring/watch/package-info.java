/**
 * The view from outside: counts in Micrometer, {@link io.sluice.spring.watch.CallCounts}, and the
 * actuator's {@link io.sluice.spring.watch.LimitsEndpoint}. It calls the rooms below.
 */
package io.sluice.spring.watch;
