/**
 * Recent event counts of an instance: the number of events by limit and verdict in the last quarter
 * of an hour, and the keys with most events in the last minutes. Start at {@link
 * io.sluice.topology.watch.Watch}. This package calls the packages {@code event} and the module of
 * rules.
 */
package io.sluice.topology.watch;
