/**
 * The records that are published: events, some of them odd, and records that are no events. Start
 * at {@link io.sluice.guarantees.traffic.Publisher}, the only type that others see. It may call
 * {@code scenario}.
 */
package io.sluice.guarantees.traffic;
