/**
 * Limits of the configuration, changed by revisions while the application runs. Start at {@link
 * io.sluice.spring.live.FollowedLimits}. The package depends on {@code settings}.
 */
package io.sluice.spring.live;
