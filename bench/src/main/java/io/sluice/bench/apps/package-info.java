/**
 * The applications that are measured: Sluice, and what people write instead. Start at {@link
 * io.sluice.bench.apps.SluiceApplication} and {@link io.sluice.bench.apps.PlainTopology}. It may
 * call {@code report}, {@code input} and {@code run}.
 */
package io.sluice.bench.apps;
