/**
 * Limits for the methods of a Spring Boot application. Start at {@link io.sluice.spring.RateLimit}.
 *
 * <p>What users compile against is here, and calls no room. {@code SluiceAutoConfiguration}, which
 * users know by its name, puts the rooms together. The lower ones first: {@code settings}, {@code
 * method}, {@code metering}, {@code web}, {@code proxy}, {@code kafka} and {@code watch}. Each
 * calls only those below it, and the types for users. All but those is internal, public or not.
 */
package io.sluice.spring;
