/**
 * The guarantees, an object each, and the bounds that limits keep to. Start at {@link
 * io.sluice.guarantees.promise.Guarantee} and {@link io.sluice.guarantees.promise.Promises}, the
 * only types that others see. It may call {@code evidence} and {@code scenario}: it judges what is
 * left, and knows nothing of how that came about.
 */
package io.sluice.guarantees.promise;
