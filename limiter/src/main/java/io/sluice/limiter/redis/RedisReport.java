package io.sluice.limiter.redis;

import java.util.List;

/**
 * Result of an inspection of the Redis servers by a meter.
 *
 * @param missingRights rights that the meter's user lacks, in the form of an ACL: {@code +zadd}, or
 *     {@code ~sluice:*} for the keys
 * @param mode mode of the servers: {@code standalone}, {@code cluster} or {@code sentinel}; empty
 *     if the user may not read the mode
 * @param evictionPolicy the servers' {@code maxmemory-policy}; empty if the user may not read the
 *     policy
 */
public record RedisReport(List<String> missingRights, String mode, String evictionPolicy) {
  public RedisReport {
    missingRights = List.copyOf(missingRights);
  }

  /** Whether Redis deletes keys that are still needed when its memory is full. */
  public boolean evicts() {
    return !evictionPolicy.isEmpty() && !evictionPolicy.equals("noeviction");
  }
}
