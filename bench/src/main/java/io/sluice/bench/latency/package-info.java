/**
 * Measurements at a fixed load: latency of events, and cost of queries. Start at {@link
 * io.sluice.bench.latency.LatencyRuns} and {@link io.sluice.bench.latency.AskedRuns}. The package
 * may depend on all packages below the measurements; only the command uses it.
 */
package io.sluice.bench.latency;
