/**
 * Web request during which a limited method is called, in a servlet or WebFlux application: data of
 * the caller, and headers of the response. Start at {@link io.sluice.spring.web.WebCall}. The
 * package depends on {@code metering} and {@code method}.
 */
package io.sluice.spring.web;
