/**
 * Events of input records: their decoders for JSON, Avro and Confluent's format, and the schemas
 * and the registry that these need. Start at {@link io.sluice.topology.event.EventDecoder}. It
 * calls no other package of the topology.
 */
package io.sluice.topology.event;
