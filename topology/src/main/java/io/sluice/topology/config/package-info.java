/**
 * The settings: their definitions and readers, mistakes, summary and reference. Start at {@link
 * io.sluice.topology.config.SluiceConfig}; a setting is defined in {@code CommonSettings} or {@code
 * LimitSettings}. It calls {@code event} and {@code limit}, and builds nothing but the decoder.
 */
package io.sluice.topology.config;
