/**
 * The command that asks a running instance what a key has left. Start at {@link
 * io.sluice.cli.ask.AskCommand}.
 */
package io.sluice.cli.ask;
