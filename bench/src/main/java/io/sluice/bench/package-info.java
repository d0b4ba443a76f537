/**
 * Measures Sluice beside what people write instead. Start at {@link io.sluice.bench.BenchMain}, the
 * command. The rooms, lower ones first:
 *
 * <ul>
 *   <li>{@code report}: tables, pictures and files
 *   <li>{@code input}: the events
 *   <li>{@code lab}: the broker, Redis and the machine
 *   <li>{@code run}: one run of an application, seen from outside
 *   <li>{@code apps}: the applications that are measured
 *   <li>{@code throughput}, {@code latency}, {@code scale} and {@code inprocess}: the measurements,
 *       none of which calls another
 * </ul>
 */
package io.sluice.bench;
