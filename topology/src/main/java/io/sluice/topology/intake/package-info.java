/**
 * First steps of an event: its record is decoded, refused if it is unreadable or too large, and
 * sent to its home partition. Start at {@link io.sluice.topology.intake.EventOpener}, then {@link
 * io.sluice.topology.intake.IntakeProcessor}. This package calls {@code redis}, for the question to
 * Redis that an event carries, and the packages below {@code redis}.
 */
package io.sluice.topology.intake;
