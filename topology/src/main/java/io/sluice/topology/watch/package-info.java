/**
 * Event counts of the last minutes on an instance: the number of events by limit and verdict, and
 * the keys with most events. Start at {@link io.sluice.topology.watch.Watch}. It calls the packages
 * {@code event} and {@code limit}.
 */
package io.sluice.topology.watch;
