/**
 * One run of an application: its environment, and its results observed from outside. Start at
 * {@link io.sluice.bench.run.Application} and {@link io.sluice.bench.run.Workplace}. The package
 * may depend on {@code input} and {@code lab}.
 */
package io.sluice.bench.run;
