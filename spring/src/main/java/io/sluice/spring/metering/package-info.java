/**
 * Meters method calls, in the memory of this process and in Redis. Start at {@link
 * io.sluice.spring.metering.CallMeter}. The package depends on {@code method}, and on no web
 * framework.
 */
package io.sluice.spring.metering;
