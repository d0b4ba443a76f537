/**
 * Limits for the methods of a Spring Boot application. Start at {@link io.sluice.spring.RateLimit};
 * {@code SluiceAutoConfiguration} puts everything together.
 *
 * <p>{@code RateLimitPostProcessor} puts a {@code RateLimitInterceptor} around every bean that has
 * limited methods. It asks {@code LimitedMethods} what a {@code LimitedMethod} is limited by, has
 * the call metered by {@code CallMeter}, and tells the {@code Answer} to the web request.
 */
package io.sluice.spring;
