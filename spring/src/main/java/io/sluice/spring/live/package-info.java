/**
 * The limits of the configuration as revisions make them while the application runs. Start at
 * {@link io.sluice.spring.live.LiveLimits}. It calls {@code settings}.
 */
package io.sluice.spring.live;
