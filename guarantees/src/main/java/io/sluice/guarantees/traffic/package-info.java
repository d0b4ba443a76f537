/**
 * The records that are published: events, some of them odd, and records that are no events. Start
 * at {@link io.sluice.guarantees.traffic.Publisher}, and at {@link
 * io.sluice.guarantees.traffic.Planner} for revisions of limits; others see only these. It may call
 * {@code scenario}.
 */
package io.sluice.guarantees.traffic;
