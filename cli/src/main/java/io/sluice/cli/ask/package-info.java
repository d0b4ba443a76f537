/**
 * The commands that ask a running instance what a key has left, and which keys have most events.
 * Start at {@link io.sluice.cli.ask.AskCommand}; what happened to somebody, {@code LastEvents}
 * finds in the topics.
 */
package io.sluice.cli.ask;
