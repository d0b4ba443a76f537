/**
 * The limits of a method as its annotations say: numbers, key, cost and fallback; and what a call
 * asks of them. Start at {@link io.sluice.spring.method.LimitedMethods}. It calls {@code settings}.
 */
package io.sluice.spring.method;
