/**
 * The limits, as one snapshot, what they match and by which key, and the verdict with the headers
 * that users read. Start at {@link io.sluice.topology.limit.Limits}, then {@link
 * io.sluice.topology.limit.Verdict}. It calls {@code event}.
 */
package io.sluice.topology.limit;
