/**
 * Limits of the configuration, to which revisions (dated changes of limits) from a Kafka topic are
 * applied while the application runs. Start at {@link io.sluice.spring.live.FollowedLimits}. The
 * package depends on {@code settings}.
 */
package io.sluice.spring.live;
