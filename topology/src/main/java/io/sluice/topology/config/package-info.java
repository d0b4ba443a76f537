/**
 * Settings: their definitions and parsers, mistakes, summary and reference. Start at {@link
 * io.sluice.topology.config.SluiceConfig}; settings are defined in {@code CommonSettings} and
 * {@code LimitSettings}. It calls {@code event} and {@code limit}, and creates no parts except the
 * decoder.
 */
package io.sluice.topology.config;
