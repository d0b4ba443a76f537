/**
 * Steps of a test run, from the start of its processes to its results. Start at {@link
 * io.sluice.guarantees.run.Run}. The package may depend on all others except {@code promise}.
 */
package io.sluice.guarantees.run;
