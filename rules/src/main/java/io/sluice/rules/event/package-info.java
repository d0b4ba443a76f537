/**
 * Event as limits see it, its fields, and its faults. Start at {@link io.sluice.rules.event.Event}.
 * This package calls no other package of the module.
 */
package io.sluice.rules.event;
