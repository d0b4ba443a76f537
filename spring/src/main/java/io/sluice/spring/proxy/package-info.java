/**
 * Proxies around beans with limited methods, and the check at start that no bean bypasses them.
 * Start at {@link io.sluice.spring.proxy.RateLimitPostProcessor}, then {@link
 * io.sluice.spring.proxy.RateLimitInterceptor}, which has each call metered by the {@link
 * io.sluice.spring.proxy.LimitedCallGuard}. The package depends on {@code web}, {@code metering},
 * {@code method} and {@code settings}.
 */
package io.sluice.spring.proxy;
