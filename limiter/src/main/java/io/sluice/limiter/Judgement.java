package io.sluice.limiter;

/**
 * Decision of one limit about one arrival, and the instant at which the decision was made.
 *
 * @param nowMicros instant at which the bucket was judged, in epoch microseconds: the arrival's
 *     time, or the bucket's clock if that is later. For a release, an instant from its earliest one
 *     on. The waits in the decision begin at this instant
 */
public record Judgement(long nowMicros, Decision decision) {}
