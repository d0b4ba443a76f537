package io.sluice.spring.method;

import io.sluice.rules.event.Event;

/**
 * Request to meter a call against one limit.
 *
 * @param event event with the call's key, so that streams and methods count in the same bucket
 */
public record Ask(MethodLimit limit, Event event) {}
