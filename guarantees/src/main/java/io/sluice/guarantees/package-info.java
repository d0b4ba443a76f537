/**
 * What Sluice promises, held against real processes that are shot down, frozen and moved about.
 * Start at {@link io.sluice.guarantees.Guarantees} (the command), then {@code Run} (one run in
 * order) and {@code Guarantee} (what is promised, an object each).
 */
package io.sluice.guarantees;
