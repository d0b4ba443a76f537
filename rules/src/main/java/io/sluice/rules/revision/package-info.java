/**
 * Revisions of limits as values, and the limits in force at each instant. Start at {@link
 * io.sluice.rules.revision.LimitsInForce}, which has all revisions, and at {@link
 * io.sluice.rules.revision.RevisionReader}, which parses them. This package calls {@code settings},
 * {@code limit} and {@code event}, and uses no topic, thread or clock.
 */
package io.sluice.rules.revision;
