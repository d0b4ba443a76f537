/**
 * One run of an application: where it runs, and what is seen of it from outside. Start at {@link
 * io.sluice.bench.run.Application} and {@link io.sluice.bench.run.Workplace}. It may call {@code
 * input} and {@code lab}.
 */
package io.sluice.bench.run;
