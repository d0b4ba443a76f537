/**
 * Processes of a test run: Kafka broker, Redis, schema registry and instances of Sluice. Start at
 * {@link io.sluice.guarantees.bed.Bed}. The package may depend on {@code evidence}, where it
 * records failures of instances, and {@code scenario}.
 */
package io.sluice.guarantees.bed;
