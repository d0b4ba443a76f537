/**
 * Limited Kafka listeners of Spring, whose records wait while they are over a limit. Start at
 * {@link io.sluice.spring.kafka.ListenerContainers}: it has a {@code TurnListener} call the method,
 * and a {@code TurnErrorHandler} pause the partition if the record must wait. The package depends
 * on the other packages of the starter.
 */
package io.sluice.spring.kafka;
