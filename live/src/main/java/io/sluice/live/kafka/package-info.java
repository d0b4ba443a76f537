/**
 * Clients of a Kafka cluster outside of the application's group: their settings, and explanations
 * of their failures. Start at {@link io.sluice.live.kafka.LimitsTopic}, the topic of revisions.
 */
package io.sluice.live.kafka;
