package io.sluice.topology.queue;

import static io.sluice.topology.Harness.NOON_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.topology.Harness;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.queue.WaitingList.Filter;
import io.sluice.topology.queue.WaitingList.Group;
import io.sluice.topology.queue.WaitingList.Standing;
import io.sluice.topology.queue.WaitingList.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of the list of a partition's waiting events. */
class WaitingListTest {
  @AutoClose
  private final Harness harness =
      new Harness(
          "sluice.limits=phone,shop",
          "sluice.limit.phone.key=userId,target",
          "sluice.limit.phone.quota=1/1h",
          "sluice.limit.phone.exceeded=queue",
          "sluice.limit.shop.key=userId",
          "sluice.limit.shop.quota=1/1h",
          "sluice.limit.shop.exceeded=queue");

  private void send(String shop, String target, String id) {
    harness.send(shop, "sms", 0, "\"eventId\":\"" + id + "\"", "\"target\":\"" + target + "\"");
  }

  private WaitingList list(Map<Field, String> values, String event, String limit) {
    return list(new Filter(values, event, limit, false, 20));
  }

  private WaitingList list(Filter filter) {
    return WaitingList.of(
        harness.driver.getKeyValueStore(Nodes.WAITING),
        filter,
        harness.config.limits(),
        harness.config.eventDecoder());
  }

  private static List<String> ids(WaitingList list) {
    return list.first().stream().map(each -> each.event().map(Event::eventId).orElse("")).toList();
  }

  @Test
  void positionsAndTheEventsBeforeAreCounted() {
    send("shop", "+1", "a0");
    send("shop", "+1", "a1");
    send("shop", "+2", "b0");
    send("shop", "+1", "a2");
    send("other", "+1", "c0");
    send("other", "+1", "c1");
    WaitingList all = list(Map.of(), "", "");
    assertThat(ids(all)).containsExactly("a1", "b0", "a2", "c1");
    assertThat(all.count()).isEqualTo(4);
    assertThat(all.standings())
        .containsEntry(new Group("phone", 0), new Standing(4, NOON_MS))
        .containsEntry(new Group("shop", 0), new Standing(4, NOON_MS));

    Waiting last = list(Map.of(Field.USER_ID, "shop"), "a2", "").first().get(0);
    assertThat(last.position()).isEqualTo(2);
    assertThat(last.before()).isEqualTo(Map.of("phone", 0, "shop", 1));
    assertThat(last.announcedMs().orElse(0)).isGreaterThan(NOON_MS);
  }

  @Test
  void eventsAreFoundByFieldsThatAreKeysAndByOthers() {
    send("shop", "+1", "a0");
    send("shop", "+1", "a1");
    send("shop", "+2", "b0");
    send("other", "+2", "c0");
    send("other", "+2", "c1");
    assertThat(ids(list(Map.of(Field.USER_ID, "shop"), "", ""))).containsExactly("a1", "b0");
    assertThat(ids(list(Map.of(Field.TARGET, "+2"), "", ""))).containsExactly("b0", "c1");
    assertThat(ids(list(Map.of(Field.ACTION, "call"), "", ""))).isEmpty();
    assertThat(ids(list(Map.of(Field.USER_ID, "shop"), "b0", "phone"))).containsExactly("b0");
    assertThat(ids(list(Map.of(), "", "none"))).isEmpty();
    assertThat(list(new Filter(Map.of(), "", "shop", false, 1)).first()).hasSize(1);
  }

  @Test
  void eventsThatHaveLeftAreNotListed() {
    send("shop", "+1", "a0");
    send("shop", "+1", "a1");
    send("shop", "+1", "a2");
    var store = harness.driver.<Bytes, byte[]>getKeyValueStore(Nodes.WAITING);
    var key = Lane.QUEUED.key(0, 0);
    byte[] row = store.get(key);
    harness.runTo(3_601_000);
    harness.advanceWall(Duration.ofMillis(100));
    store.put(key, row);
    assertThat(ids(list(Map.of(), "", ""))).containsExactly("a2");
  }
}
