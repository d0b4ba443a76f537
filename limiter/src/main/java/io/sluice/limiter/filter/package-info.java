/**
 * Bloom filters that tell whether a key, such as a pair of user and target, may have been added.
 * Start at {@link io.sluice.limiter.filter.Filters}, which keeps the filters of one limit in rows;
 * {@link io.sluice.limiter.filter.Strength} has the arithmetic.
 *
 * <p>Uses only {@link io.sluice.limiter.rows}. The meter in Redis keeps the same bits in Redis
 * keys, computed by the same {@link io.sluice.limiter.filter.FilterKey} and {@code Strength}.
 */
package io.sluice.limiter.filter;
