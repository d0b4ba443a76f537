/**
 * Faults that a test run causes. Start at {@link io.sluice.guarantees.fault.Lane}, which causes one
 * after another; {@link io.sluice.guarantees.scenario.FaultKind} lists them. The package may depend
 * on {@code scenario}, {@code evidence}, {@code traffic} and {@code bed}.
 */
package io.sluice.guarantees.fault;
