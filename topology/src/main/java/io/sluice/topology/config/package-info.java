/**
 * Configuration of an application: its settings, mistakes, summary and reference. Start at {@link
 * io.sluice.topology.config.SluiceConfig}; settings of the whole application are defined in {@code
 * CommonSettings}. It calls {@code event}, and creates no parts except the decoder.
 */
package io.sluice.topology.config;
