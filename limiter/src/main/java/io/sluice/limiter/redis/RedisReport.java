package io.sluice.limiter.redis;

import java.util.List;

/**
 * Result of an inspection of Redis by a meter.
 *
 * @param missingRights that its user lacks, in the form of an ACL: {@code +zadd}, or {@code
 *     ~sluice:*} for the keys
 * @param mode {@code standalone}, {@code cluster} or {@code sentinel}; empty if the user may not
 *     read it
 * @param evictionPolicy its {@code maxmemory-policy}; empty if the user may not read it
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
