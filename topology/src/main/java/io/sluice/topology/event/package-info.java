/**
 * The events that come in: their decoders for JSON, Avro and Confluent's format, the schemas and
 * the registry that these need, and what can be wrong with a record. Start at {@link
 * io.sluice.topology.event.EventDecoder}. It calls no other room.
 */
package io.sluice.topology.event;
