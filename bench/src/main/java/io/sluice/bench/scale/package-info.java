/**
 * More and more keys, and more and more delayed events. Start at {@link
 * io.sluice.bench.scale.Scale}; the order of a run is in {@code KeyRun} and {@code DelayRun}. It
 * may call all rooms below the measurements; only the command calls it.
 */
package io.sluice.bench.scale;
