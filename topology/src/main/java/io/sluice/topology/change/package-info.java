/**
 * Changes of the limits of a running application: they are drafted, checked against all other
 * revisions, explained and written. Start at {@link io.sluice.topology.change.RequestedChanges};
 * {@link io.sluice.topology.change.ChangeSession} has the limits that they are checked against, and
 * {@link io.sluice.topology.change.ChangeRoutes} offers them over HTTP. It calls {@code live},
 * {@code web} and the packages below them.
 */
package io.sluice.topology.change;
