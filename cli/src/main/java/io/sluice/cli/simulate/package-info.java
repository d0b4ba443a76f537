/**
 * Command that tries limits on past events. Start at {@link
 * io.sluice.cli.simulate.SimulateCommand}; its input is a {@code Source}, of files or of topics.
 */
package io.sluice.cli.simulate;
