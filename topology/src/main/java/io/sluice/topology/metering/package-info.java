/**
 * The node that meters. Start at {@link io.sluice.topology.metering.MeterProcessor}, then {@code
 * EventMeter}. It calls {@code delay}, {@code store}, {@code intake}, {@code redis} and the rooms
 * below.
 */
package io.sluice.topology.metering;
