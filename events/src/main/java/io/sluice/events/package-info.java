/**
 * How events are read from records: selectors of their fields, the forms of values and times, the
 * formats JSON, Avro's single-object encoding and Confluent's format, and the sources of Avro
 * schemas. Start at {@link io.sluice.events.EventDecoder} and {@link io.sluice.events.Selector}.
 */
package io.sluice.events;
