/**
 * Records that a test run publishes: events, some of them extreme, and records that are not events.
 * Start at {@link io.sluice.guarantees.traffic.Publisher}, and at {@link
 * io.sluice.guarantees.traffic.Planner} for revisions (dated changes of limits). The package may
 * depend on {@code scenario}.
 */
package io.sluice.guarantees.traffic;
