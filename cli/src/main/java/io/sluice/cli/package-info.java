/** The command line. Start at {@link io.sluice.cli.SluiceMain}; each command is a class. */
package io.sluice.cli;
