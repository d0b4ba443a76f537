/**
 * Measures the events per second of each variant, and the cost of an event. Start at {@link
 * io.sluice.bench.throughput.Throughput}; {@code Variants} lists what is measured, {@code Round}
 * defines how. The package may depend on all packages below the measurements; only the command uses
 * it.
 */
package io.sluice.bench.throughput;
