/**
 * Limits of events: their settings, their revisions, and the limits that are in force at a time.
 * Its packages, the lowest first: {@code event}, {@code limit}, {@code settings} and {@code
 * revision}. Each package calls only packages below it.
 */
package io.sluice.rules;
