package io.sluice.spring.method;

import io.sluice.rules.event.Event;

/**
 * Request to meter a call against one limit.
 *
 * @param event event whose fields have the values of the call's key, so that calls and a Sluice
 *     application's events with equal keys share a count
 */
public record Ask(MethodLimit limit, Event event) {}
