package io.sluice.limiter;

/**
 * Decision of one limit about one arrival, and the instant at which it was made.
 *
 * @param nowMicros instant at which the bucket was judged: the arrival's own, or the bucket's clock
 *     if that is later. The decision's waits count from it
 */
public record Judgement(long nowMicros, Decision decision) {}
