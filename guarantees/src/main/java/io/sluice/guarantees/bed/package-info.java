/**
 * The processes of a run: the broker, Redis, the schema registry, and the instances of Sluice.
 * Start at {@link io.sluice.guarantees.bed.Bed}. It may call {@code evidence}, where it writes down
 * what became of the instances, and {@code scenario}.
 */
package io.sluice.guarantees.bed;
