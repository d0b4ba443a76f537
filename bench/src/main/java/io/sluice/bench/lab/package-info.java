/**
 * The broker and the Redis that everything is measured on, and the machine. Start at {@link
 * io.sluice.bench.lab.Laboratory}. It may call {@code input}.
 */
package io.sluice.bench.lab;
