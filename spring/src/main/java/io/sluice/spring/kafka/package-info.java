/**
 * The listeners of Spring for Apache Kafka, whose records wait for their turn. Start at {@link
 * io.sluice.spring.kafka.ListenerContainers}, which has a {@code TurnListener} call the method, and
 * a {@code TurnErrorHandler} pause the container if it is not yet the record's turn. It calls the
 * rooms below.
 */
package io.sluice.spring.kafka;
