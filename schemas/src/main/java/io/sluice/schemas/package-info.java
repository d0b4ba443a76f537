/**
 * The Avro record that Sluice meters, and the ways to read and write its bytes.
 *
 * <p>Start with {@link io.sluice.schemas.UserActionCodec}, which producers and consumers use, then
 * {@link io.sluice.schemas.UserActionView}, which the throttler reads every event through. The
 * record itself is in {@code src/main/avro}; what it may become is in the module's README.
 */
package io.sluice.schemas;
