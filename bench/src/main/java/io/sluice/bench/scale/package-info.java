/**
 * Measurements with an increasing number of keys, and of delayed events. Start at {@link
 * io.sluice.bench.scale.Scale}; {@code KeyRun} and {@code DelayRun} define the steps of a run. The
 * package may depend on all packages below the measurements; only the command uses it.
 */
package io.sluice.bench.scale;
