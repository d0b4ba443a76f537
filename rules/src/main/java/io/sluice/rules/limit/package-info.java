/**
 * Limits as one snapshot, the events that they match and the keys that they count by, and verdicts
 * with the headers that users read. Start at {@link io.sluice.rules.limit.Limits}, then {@link
 * io.sluice.rules.limit.Verdict}. This package calls {@code event}.
 */
package io.sluice.rules.limit;
