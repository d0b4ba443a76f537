/**
 * Loads at a fixed rate: how long an event takes, and what questions cost. Start at {@link
 * io.sluice.bench.latency.LatencyRuns} and {@link io.sluice.bench.latency.AskedRuns}. It may call
 * all rooms below the measurements; only the command calls it.
 */
package io.sluice.bench.latency;
