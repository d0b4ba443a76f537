/**
 * The faults of a run. Start at {@link io.sluice.guarantees.fault.Lane}, which strikes with one
 * after another; {@link io.sluice.guarantees.scenario.FaultKind} lists them. It may call {@code
 * scenario}, {@code evidence}, {@code traffic} and {@code bed}.
 */
package io.sluice.guarantees.fault;
