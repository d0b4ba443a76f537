/**
 * Changes of the limits of a running application: they are drafted, checked against all other
 * revisions, explained and written. Start at {@link io.sluice.topology.change.RequestedChanges};
 * {@link io.sluice.topology.change.ChangeSession} has the limits that they are checked against. It
 * calls {@code live} and the packages below it.
 */
package io.sluice.topology.change;
