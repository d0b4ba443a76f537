/**
 * Parameters of a run: modes, limits and topics, and the descriptions of records. Start at {@link
 * io.sluice.guarantees.scenario.Modes}, which the seed decides; then {@link
 * io.sluice.guarantees.scenario.Limits}. All other packages share them. The package depends on no
 * other one.
 */
package io.sluice.guarantees.scenario;
