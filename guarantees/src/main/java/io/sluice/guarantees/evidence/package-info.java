/**
 * Evidence of a run: records of topics, lives of instances, and notes. Start at {@link
 * io.sluice.guarantees.evidence.History}, which contains all that is checked; {@link
 * io.sluice.guarantees.evidence.Evidence} reads the records. The package may depend on {@code
 * scenario}.
 */
package io.sluice.guarantees.evidence;
