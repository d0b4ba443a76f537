/**
 * The Kafka Streams node that meters events. Start at {@link
 * io.sluice.topology.metering.MeterProcessor}, then {@code EventMeter}. This package calls {@code
 * delay}, {@code store}, {@code intake}, {@code redis} and the packages below them.
 */
package io.sluice.topology.metering;
