/**
 * The first nodes that an event passes: its record is opened, refused if it is none or too large,
 * and sent to its home partition. Start at {@link io.sluice.topology.intake.EventOpener}, then
 * {@link io.sluice.topology.intake.IntakeProcessor}. It calls {@code redis}, for the question that
 * travels with an event, and the rooms below.
 */
package io.sluice.topology.intake;
