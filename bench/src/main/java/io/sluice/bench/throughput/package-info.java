/**
 * How many events a second each variant takes, and what an event costs. Start at {@link
 * io.sluice.bench.throughput.Throughput}; what is measured is listed in {@code Variants}, how in
 * {@code Round}. It may call all rooms below the measurements; only the command calls it.
 */
package io.sluice.bench.throughput;
