/**
 * Events to be published, the same in every run. Start at {@link io.sluice.bench.input.Workload};
 * {@link io.sluice.bench.input.Kind} defines the content of events. The package depends on no other
 * package.
 */
package io.sluice.bench.input;
