/**
 * Filters that tell whether a pair may have been added. Start at {@link
 * io.sluice.limiter.filter.Filters}, the filters of one limit in rows; {@link
 * io.sluice.limiter.filter.Strength} has the arithmetic.
 *
 * <p>Calls {@link io.sluice.limiter.rows}, and no other room. The meter in Redis keeps the same
 * bits in another place, from the same {@link io.sluice.limiter.filter.Pair} and {@code Strength}.
 */
package io.sluice.limiter.filter;
