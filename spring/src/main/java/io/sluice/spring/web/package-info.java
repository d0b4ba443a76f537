/**
 * The web request within which a method is called, with servlets or WebFlux: who calls, and what
 * the answer tells of limits. Start at {@link io.sluice.spring.web.WebCall}. It calls {@code
 * metering} and {@code method}.
 */
package io.sluice.spring.web;
