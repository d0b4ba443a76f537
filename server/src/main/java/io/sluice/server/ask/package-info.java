/**
 * Answers to API queries about a running instance: the usage of a key, the limits in force, and the
 * instances. Start at {@link io.sluice.server.ask.QueryApi}, then {@code LimitsRoute} and {@code
 * StoredAnswers}. This package calls {@code web} and the modules topology, live and rules.
 */
package io.sluice.server.ask;
