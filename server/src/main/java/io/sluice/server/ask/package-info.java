/**
 * Answers to API queries about a running instance: the usage of a key, the limits in force, and the
 * instances. Start at {@link io.sluice.server.ask.QueryApi}, then {@code LimitsRoute} and {@code
 * StoredAnswers}. This package calls {@code web}, {@code delay}, {@code redis}, {@code intake},
 * {@code revision} and the packages below them.
 */
package io.sluice.server.ask;
