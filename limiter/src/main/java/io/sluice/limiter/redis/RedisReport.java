package io.sluice.limiter.redis;

import java.util.List;

/**
 * The answers of Redis about itself to whoever wants to meter in it.
 *
 * @param missingRights what its user lacks, as an ACL names it: {@code +xadd}, or {@code ~sluice:*}
 *     for the keys
 * @param mode {@code standalone}, {@code cluster} or {@code sentinel}; empty if it may not be asked
 * @param evictionPolicy its {@code maxmemory-policy}; empty if it may not be asked
 */
public record RedisReport(List<String> missingRights, String mode, String evictionPolicy) {
  public RedisReport {
    missingRights = List.copyOf(missingRights);
  }

  /** Whether it deletes keys that are still needed when its memory is full. */
  public boolean evicts() {
    return !evictionPolicy.isEmpty() && !evictionPolicy.equals("noeviction");
  }
}
