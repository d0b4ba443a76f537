/**
 * The evidence of a run: records as they lie in the topics, the lives of the instances, and the
 * diary. Start at {@link io.sluice.guarantees.evidence.History}, which holds all that is judged;
 * {@link io.sluice.guarantees.evidence.Evidence} reads it. It may call {@code scenario}.
 */
package io.sluice.guarantees.evidence;
