/**
 * Configuration of an application: its settings, mistakes, summary and reference. Start at {@link
 * io.sluice.topology.config.SluiceConfig}; settings of the whole application are defined in {@code
 * CommonSettings}. This package calls {@code event}; of the topology's components it creates only
 * the event decoder.
 */
package io.sluice.topology.config;
