/**
 * The promises of Sluice, held against real processes that are shot down, frozen and moved about.
 * Start at {@link io.sluice.guarantees.Guarantees} (the command), then {@link
 * io.sluice.guarantees.run.Run} (one run in order) and {@link
 * io.sluice.guarantees.promise.Guarantee} (the promises, an object each). The rooms, lower ones
 * first, each of which calls only what stands above it here:
 *
 * <ul>
 *   <li>{@code scenario}: modes, limits and topics
 *   <li>{@code evidence}: what a run leaves
 *   <li>{@code promise}: the guarantees, held against that
 *   <li>{@code traffic}: what is published
 *   <li>{@code bed}: the processes
 *   <li>{@code fault}: what goes wrong with them
 *   <li>{@code run}: one run, in order
 * </ul>
 */
package io.sluice.guarantees;
