/**
 * Checks the guarantees of Sluice with real processes that are killed, frozen and moved. Start at
 * {@link io.sluice.guarantees.Guarantees} (the command), then {@link io.sluice.guarantees.run.Run}
 * (the steps of a test run) and {@link io.sluice.guarantees.promise.Guarantee} (one object for each
 * guarantee). The packages, from the lowest; each depends only on packages above it in this list:
 *
 * <ul>
 *   <li>{@code scenario}: modes, limits and topics
 *   <li>{@code evidence}: results of a run
 *   <li>{@code promise}: guarantees, checked against the results
 *   <li>{@code traffic}: published records
 *   <li>{@code bed}: processes
 *   <li>{@code fault}: faults of the processes and the input
 *   <li>{@code run}: steps of a run
 * </ul>
 */
package io.sluice.guarantees;
