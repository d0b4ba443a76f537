/**
 * Definitions and parsers of settings, and the settings of limits. Start at {@link
 * io.sluice.rules.settings.LimitParser}, or at {@link io.sluice.rules.settings.LimitTexts} for
 * limits as texts. This package calls {@code limit} and {@code event}.
 */
package io.sluice.rules.settings;
