/**
 * Guarantees, one object each, and bounds on the charges of limits. Start at {@link
 * io.sluice.guarantees.promise.Guarantee} and {@link io.sluice.guarantees.promise.Promises}, the
 * only types that other packages use. The package may depend on {@code evidence} and {@code
 * scenario}: it checks the results of a run, independent of the code that produced them.
 */
package io.sluice.guarantees.promise;
