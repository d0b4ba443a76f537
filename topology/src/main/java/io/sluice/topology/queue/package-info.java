/**
 * Events that wait in line: {@link io.sluice.topology.queue.EventQueue} keeps them in the store,
 * and {@link io.sluice.topology.queue.QueueIndex} decides which of them is asked next.
 */
package io.sluice.topology.queue;
