/**
 * Measures Sluice beside what people write instead. Start at {@link io.sluice.bench.BenchMain};
 * what is measured is listed in {@link io.sluice.bench.Variants}, how in {@link
 * io.sluice.bench.Round}.
 */
package io.sluice.bench;
