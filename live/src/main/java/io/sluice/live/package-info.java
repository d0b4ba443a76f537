/**
 * Limits that change while an instance runs: the topic of revisions is read before the first event
 * is metered, and followed from then on. Start at {@link io.sluice.live.LiveLimits}, then {@code
 * Follower}. Commands read and write the topic by {@code RevisionTopic}; a program that is not a
 * Kafka Streams application follows it by {@code RevisionFollower}. This package calls {@code
 * kafka}, and reports to a {@code LimitsReport}; {@code change} is above it.
 */
package io.sluice.live;
