/**
 * Kafka listeners of Spring, whose records wait for their turn. Start at {@link
 * io.sluice.spring.kafka.ListenerContainers}: it has a {@code TurnListener} call the method, and a
 * {@code TurnErrorHandler} pause the partition if it is not yet the record's turn. The package
 * depends on those below it.
 */
package io.sluice.spring.kafka;
