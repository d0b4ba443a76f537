/**
 * Limits of a method as its annotations define them: numbers, key, cost and fallback, and the
 * requests to meter a call. Start at {@link io.sluice.spring.method.LimitedMethods}. The package
 * depends on {@code settings}.
 */
package io.sluice.spring.method;
