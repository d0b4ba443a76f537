/**
 * Decoders of events in input records, for JSON, Avro's single-object encoding and Confluent's
 * format, and the sources of their Avro schemas. Start at {@link
 * io.sluice.topology.event.EventDecoder}. This package calls no other package of the topology.
 */
package io.sluice.topology.event;
