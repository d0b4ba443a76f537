/**
 * First nodes that an event passes: its record is decoded, refused if it is unreadable or too
 * large, and sent to its home partition. Start at {@link io.sluice.topology.intake.EventOpener},
 * then {@link io.sluice.topology.intake.IntakeProcessor}. It calls {@code redis}, for the question
 * that travels with an event, and the packages below it.
 */
package io.sluice.topology.intake;
