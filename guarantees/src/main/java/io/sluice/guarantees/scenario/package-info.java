/**
 * The terms of a run: its modes, limits and topics, and what a record says of itself. Start at
 * {@link io.sluice.guarantees.scenario.Modes}, which a seed decides; then {@link
 * io.sluice.guarantees.scenario.Limits}. Whoever publishes, runs or judges goes by them. It calls
 * no other room.
 */
package io.sluice.guarantees.scenario;
