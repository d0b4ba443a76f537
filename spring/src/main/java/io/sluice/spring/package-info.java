/**
 * Limits for the methods of a Spring Boot application. Start at {@link io.sluice.spring.RateLimit}.
 *
 * <p>This package contains the public API, which depends on no other package, and {@code
 * SluiceAutoConfiguration}, which connects the other packages. These are, from the lowest: {@code
 * settings}, {@code live}, {@code method}, {@code metering}, {@code web}, {@code proxy}, {@code
 * kafka} and {@code watch}. Each depends only on those below it and on the public API. They are
 * internal, even where their types are public.
 */
package io.sluice.spring;
