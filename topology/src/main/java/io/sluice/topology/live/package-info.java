/**
 * Limits while an instance runs: the topic of revisions is read before the first event is metered,
 * and followed from then on. Start at {@link io.sluice.topology.live.LiveLimits}, then {@code
 * Follower}. Commands read and write the topic by {@code RevisionTopic}; a program that is not a
 * Kafka Streams application follows it by {@code RevisionFollower}. It calls {@code kafka} and
 * {@code revision}, and reports to a {@code LimitsReport}.
 */
package io.sluice.topology.live;
