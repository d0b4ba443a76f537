/**
 * Avro records of Sluice, and the code that reads and writes the bytes of these records.
 *
 * <p>Start with {@link io.sluice.schemas.UserActionCodec}, which producers and consumers use, then
 * {@link io.sluice.schemas.UserActionView}, through which the throttler reads every event. The
 * records are defined in {@code src/main/avro}; the module's README says how they may change.
 */
package io.sluice.schemas;
