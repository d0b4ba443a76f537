/**
 * Guarantees, one object each, and bounds of limits. Start at {@link
 * io.sluice.guarantees.promise.Guarantee} and {@link io.sluice.guarantees.promise.Promises}, the
 * only types that other packages use. The package may depend on {@code evidence} and {@code
 * scenario}: it checks results, independent of how they came about.
 */
package io.sluice.guarantees.promise;
