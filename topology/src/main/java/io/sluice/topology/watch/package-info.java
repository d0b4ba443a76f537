/**
 * The last minutes of an instance: which keys had most events under each limit, and how many events
 * there were. Start at {@link io.sluice.topology.watch.Watch}. It calls the rooms of events and
 * limits.
 */
package io.sluice.topology.watch;
