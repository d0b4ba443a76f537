/**
 * The proxies around beans with limited methods, and the check at start that nothing is past them.
 * Start at {@link io.sluice.spring.proxy.RateLimitPostProcessor}, then {@link
 * io.sluice.spring.proxy.RateLimitInterceptor}, which has each call metered by the {@link
 * io.sluice.spring.proxy.Turnstile}. It calls the rooms below.
 */
package io.sluice.spring.proxy;
