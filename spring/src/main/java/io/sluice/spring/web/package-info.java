/**
 * Web request in which a method is called, with servlets or WebFlux: the caller, and the fields of
 * the response. Start at {@link io.sluice.spring.web.WebCall}. The package depends on {@code
 * metering} and {@code method}.
 */
package io.sluice.spring.web;
