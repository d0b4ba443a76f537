/**
 * The answers to questions about a running instance: what a key has left, which limits hold, and
 * which instances there are. Start at {@link io.sluice.topology.ask.Asking}, then {@code
 * LimitsRoute} and {@code StoredAnswers}. It calls {@code web}, {@code delay}, {@code redis},
 * {@code intake}, {@code revision} and the rooms below.
 */
package io.sluice.topology.ask;
