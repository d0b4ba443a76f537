/**
 * Settings for reading events, and their parser. Start at {@link
 * io.sluice.events.config.EventFormat}. This package calls {@code io.sluice.events}, which does not
 * call it.
 */
package io.sluice.events.config;
