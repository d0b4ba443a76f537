/**
 * Changes of the limits of a running application: they are drafted, checked against all other
 * revisions, explained and written. Start at {@link io.sluice.live.change.RequestedChanges}; {@link
 * io.sluice.live.change.ChangeSession} has the limits that they are checked against. It calls
 * {@code live} and {@code kafka}.
 */
package io.sluice.live.change;
