/**
 * Broker, Redis, machine, folder and progress of all measurements. Start at {@link
 * io.sluice.bench.lab.Laboratory}. The package may depend on {@code input}.
 */
package io.sluice.bench.lab;
