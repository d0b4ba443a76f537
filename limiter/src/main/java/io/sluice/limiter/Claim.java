package io.sluice.limiter;

/** What an arrival asks of one limit: that this key be charged. */
public record Claim(Rule rule, String key) {}
