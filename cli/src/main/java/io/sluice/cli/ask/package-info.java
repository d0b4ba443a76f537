/**
 * Commands that ask a running instance how many permits a key has left, and which keys have the
 * most events. Start at {@link io.sluice.cli.ask.AskCommand}. {@code LastEvents} finds past events
 * of a key in Kafka topics.
 */
package io.sluice.cli.ask;
