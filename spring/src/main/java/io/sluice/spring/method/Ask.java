package io.sluice.spring.method;

import io.sluice.topology.event.Event;

/**
 * One limit that a call is to be metered against.
 *
 * @param event what a stream would have in the call's place, so that both count in the same bucket
 */
public record Ask(MethodLimit limit, Event event) {}
