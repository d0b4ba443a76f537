/**
 * The settings of an application: its limits, Redis, the release of Spring Boot, and what is wrong
 * with them. Start at {@link io.sluice.spring.settings.ConfiguredLimits}. It calls no other room.
 */
package io.sluice.spring.settings;
