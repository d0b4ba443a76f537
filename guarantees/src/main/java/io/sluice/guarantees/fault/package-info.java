/**
 * The faults of a run. Start at {@link io.sluice.guarantees.fault.Lane}, the only type that others
 * see: it strikes with one after another. It may call {@code bed}, {@code traffic} and {@code
 * evidence}.
 */
package io.sluice.guarantees.fault;
