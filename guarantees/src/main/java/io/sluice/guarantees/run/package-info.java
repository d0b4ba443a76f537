/**
 * One run from its start to what it leaves. Start at {@link io.sluice.guarantees.run.Run}. It may
 * call every other room but {@code promise}.
 */
package io.sluice.guarantees.run;
