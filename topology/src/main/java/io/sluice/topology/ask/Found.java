package io.sluice.topology.ask;

import io.sluice.limiter.Judgement;
import io.sluice.topology.delay.KeyOrder;
import java.util.List;
import java.util.OptionalLong;

/**
 * What was found out about a key.
 *
 * @param judgement of an event of cost 1
 * @param waiting the events of the key that wait; none in the list if that is not known here
 * @param role of who has answered
 * @param behind how many changes of the state were not known here; none if it is the state itself
 */
record Found(Judgement judgement, List<KeyOrder.Waiting> waiting, Role role, OptionalLong behind) {
  /** Where an answer comes from. */
  enum Role {
    ACTIVE,
    RESTORING,
    STANDBY,
    REDIS
  }
}
