/**
 * The topic of limits' revisions. Start at {@link io.sluice.topology.live.RevisionTopic}, which
 * reads it once and writes to it. It calls {@code cluster}, {@code revision} and {@code config}.
 */
package io.sluice.topology.live;
