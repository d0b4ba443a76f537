/**
 * Changes of the limits of a running application: drafted, checked against all other revisions,
 * explained and written. Start at {@link io.sluice.topology.change.Changes}; {@link
 * io.sluice.topology.change.Session} is what they are checked against, and {@link
 * io.sluice.topology.change.ChangeRoutes} has them over HTTP. It calls {@code live}, {@code web}
 * and the rooms below.
 */
package io.sluice.topology.change;
