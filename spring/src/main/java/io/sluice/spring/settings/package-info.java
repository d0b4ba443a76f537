/**
 * Settings of an application: its limits, Redis and release of Spring Boot, and mistakes in them.
 * Start at {@link io.sluice.spring.settings.ConfiguredLimits}. The package depends on no other one.
 */
package io.sluice.spring.settings;
