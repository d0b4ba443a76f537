/**
 * Parameters of a test run: modes, limits and topics, and the descriptions of records. Start at
 * {@link io.sluice.guarantees.scenario.Modes}, which the seed determines; then {@link
 * io.sluice.guarantees.scenario.Limits}. All other packages use this package. It depends on no
 * other package.
 */
package io.sluice.guarantees.scenario;
