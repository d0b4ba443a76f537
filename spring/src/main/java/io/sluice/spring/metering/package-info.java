/**
 * The meter of calls, in the memory of this process and in Redis. Start at {@link
 * io.sluice.spring.metering.CallMeter}. It calls {@code method}, and knows nothing of the web.
 */
package io.sluice.spring.metering;
