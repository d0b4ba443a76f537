/**
 * One metering in process, by JMH, of Sluice and other libraries. Start at {@link
 * io.sluice.bench.inprocess.InProcess}. It may call {@code report}.
 */
package io.sluice.bench.inprocess;
