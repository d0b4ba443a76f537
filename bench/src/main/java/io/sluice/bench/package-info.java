/**
 * Benchmark of Sluice and its alternatives. Start at {@link io.sluice.bench.BenchMain}, the
 * command. The packages, from the lowest:
 *
 * <ul>
 *   <li>{@code report}: tables, pictures and files
 *   <li>{@code input}: events
 *   <li>{@code lab}: broker, Redis and machine
 *   <li>{@code run}: one run of an application, observed from outside
 *   <li>{@code apps}: applications to be measured
 *   <li>{@code throughput}, {@code latency}, {@code scale} and {@code inprocess}: measurements,
 *       independent of each other
 * </ul>
 */
package io.sluice.bench;
