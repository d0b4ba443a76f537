/**
 * Revisions of limits as values, and what is in force when. Start at {@link
 * io.sluice.topology.revision.LimitsInForce}, which knows all revisions, and at {@link
 * io.sluice.topology.revision.RevisionReader}, which reads them. It calls {@code config}, {@code
 * limit} and {@code event}, and knows no topic, thread or clock.
 */
package io.sluice.topology.revision;
