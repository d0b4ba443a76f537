/**
 * How events are read from records: selectors of their fields, the forms of values and times, the
 * formats JSON, Avro and Protobuf, with or without the id of a schema, and the sources of schemas.
 * Start at {@link io.sluice.events.EventDecoder} and {@link io.sluice.events.Selector}.
 */
package io.sluice.events;
