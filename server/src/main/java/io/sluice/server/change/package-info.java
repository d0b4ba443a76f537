/**
 * HTTP routes for changes of limits and for their history. Start at {@link
 * io.sluice.server.change.ChangeRoutes}. This package calls {@code web}.
 */
package io.sluice.server.change;
