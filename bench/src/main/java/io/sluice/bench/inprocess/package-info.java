/**
 * Measures one metering in process with JMH, of Sluice and other libraries. Start at {@link
 * io.sluice.bench.inprocess.InProcess}. The package may depend on {@code report}.
 */
package io.sluice.bench.inprocess;
