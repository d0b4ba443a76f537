/**
 * Applications to be measured: Sluice and its alternatives. Start at {@link
 * io.sluice.bench.apps.SluiceApplication} and {@link io.sluice.bench.apps.PlainTopology}. The
 * package may depend on {@code report}, {@code input}, {@code lab} and {@code run}.
 */
package io.sluice.bench.apps;
