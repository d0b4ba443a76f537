package io.sluice.server.ask;

import io.sluice.limiter.Judgement;
import java.util.List;
import java.util.OptionalLong;

/**
 * State of a key under a limit, as a copy of the state store or Redis shows it.
 *
 * @param judgement of a new event of cost 1
 * @param waiting the key's waiting events, in a list of one; the list is empty if they are not
 *     known
 * @param role kind of the copy that was read
 * @param behind number of changelog records that the copy has not read yet; empty for the active
 *     store and Redis, or if it is unknown
 */
record KeyStatus(Judgement judgement, List<KeyWaiting> waiting, Role role, OptionalLong behind) {
  /** Returns the number of the key's events that wait in line; 0 if it is not known. */
  long inLine() {
    return waiting.stream()
        .filter(KeyWaiting::estimate)
        .mapToLong(KeyWaiting::count)
        .findFirst()
        .orElse(0);
  }

  /** Returns this status with another judgement. */
  KeyStatus with(Judgement other) {
    return new KeyStatus(other, waiting, role, behind);
  }

  /** Returns this status with the key's waiting events. */
  KeyStatus with(List<KeyWaiting> waiting) {
    return new KeyStatus(judgement, waiting, role, behind);
  }

  /** Kind of copy from which the state of a key was read. */
  enum Role {
    ACTIVE,
    RESTORING,
    STANDBY,
    REDIS
  }
}
