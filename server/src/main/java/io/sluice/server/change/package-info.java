/**
 * HTTP routes for changes of limits and for their history. Start at {@link
 * io.sluice.server.change.ChangeRoutes}. It calls {@code web}.
 */
package io.sluice.server.change;
