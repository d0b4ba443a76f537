/**
 * Limiters by configuration. Start at {@link io.sluice.limiter.registry.Limiters}; {@code
 * LimiterSettings} reads the settings, {@code RuleReader} those of one limit. Uses {@link
 * io.sluice.limiter.config}, {@link io.sluice.limiter.async}, {@link io.sluice.limiter.redis} and
 * {@link io.sluice.limiter}, which do not use this package.
 */
package io.sluice.limiter.registry;
