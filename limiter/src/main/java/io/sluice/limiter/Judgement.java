package io.sluice.limiter;

/**
 * What one limit concluded about one arrival.
 *
 * @param nowMicros the instant at which the bucket was judged: the arrival's own, or the bucket's
 *     clock if that is later. The decision's waits count from it
 */
public record Judgement(long nowMicros, Decision decision) {}
