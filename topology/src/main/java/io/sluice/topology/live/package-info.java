/**
 * The limits while an instance runs: the topic of revisions, read before anything is metered and
 * followed from then on. Start at {@link io.sluice.topology.live.LiveLimits}, then {@code
 * Follower}; commands read and write the topic by {@code RevisionTopic}, and a program that is no
 * stream follows it by {@code RevisionFollower}. It calls {@code cluster}, {@code metrics}, {@code
 * revision} and {@code config}.
 */
package io.sluice.topology.live;
