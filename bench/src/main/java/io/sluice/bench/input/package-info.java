/**
 * The events that are published, the same at every run. Start at {@link
 * io.sluice.bench.input.Workload}; {@link io.sluice.bench.input.Kind} says what an event is. It
 * calls no other room.
 */
package io.sluice.bench.input;
