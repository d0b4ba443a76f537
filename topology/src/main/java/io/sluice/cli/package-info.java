/**
 * The command line. Start at {@link io.sluice.cli.SluiceMain}; each command is a class. What {@code
 * simulate} reads is a {@code Source}, of files or of topics.
 */
package io.sluice.cli;
