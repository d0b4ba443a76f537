/**
 * Revisions of limits as values, and the limits in force at each instant. Start at {@link
 * io.sluice.topology.revision.LimitsInForce}, which knows all revisions, and at {@link
 * io.sluice.topology.revision.RevisionReader}, which parses them. It calls {@code config}, {@code
 * limit} and {@code event}, and uses no topic, thread or clock.
 */
package io.sluice.topology.revision;
