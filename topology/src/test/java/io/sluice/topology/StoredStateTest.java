package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.schemas.LimitRevisionCodec;
import io.sluice.testing.StoredFile;
import io.sluice.testing.StoredTraffic;
import io.sluice.topology.intake.Nodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * Tests that the application stores the same bytes as {@link StoredFile#RELEASE} did. {@link
 * UpgradeIT} reads them.
 */
class StoredStateTest {
  private static final List<String> STORES = List.of(Nodes.LIMITS, Nodes.WAITING, Nodes.TURNS);
  private static final String[] REVISIONS = {
    "{'id':'r1','limit':'reply','for':{'userId':'bea'},'effectiveAt':%d,"
        + "'set':{'quota':'1/1h'},'by':'ops','note':'spam'}",
    "{'id':'r2','limit':'vote','effectiveAt':%d,'set':{'reset':'true'}}",
    "{'id':'r3','limit':'tries','for':{'userId':'bea'},'effectiveAt':%d,"
        + "'until':%2$d,'set':{'verdict':'reject'}}",
  };

  @Test
  void theRevisionsAreThoseOfTheGoldenFile() throws UnreadableRevisionException {
    List<String> records = new ArrayList<>();
    for (String each : REVISIONS) {
      String json = each.formatted(Harness.NOON_MS + 200, Harness.NOON_MS + 3_600_000);
      LimitRevision read = new RevisionReader().ofLine(json.replace('\'', '"'), 1);
      records.add(record(read.id(), RevisionReader.json(read).getBytes(UTF_8)));
    }
    records.add(record("r4", avro()));
    records.add(record("r5", "{\"limit\":\"api\",\"set\":{\"quota\":\"1/day\"}}".getBytes(UTF_8)));
    records.add(record("r5", null));
    StoredFile.assertGolden(StoredTraffic.REVISIONS, records);
  }

  private static byte[] avro() {
    return LimitRevisionCodec.encode(
        io.sluice.schemas.LimitRevision.newBuilder()
            .setId("r4")
            .setLimit("post")
            .setFor$(Map.of("userId", "bea"))
            .setEffectiveAt(Instant.ofEpochMilli(Harness.NOON_MS + 200))
            .setUntil(null)
            .setSet(Map.of("quota", "1/1h"))
            .setBy("ops")
            .setNote("")
            .build());
  }

  private static String record(String id, byte[] value) {
    return StoredTraffic.hex(id.getBytes(UTF_8)) + " " + StoredTraffic.hex(value);
  }

  @Test
  void theRowsAndTheVerdictsAreThoseOfTheGoldenFiles() throws UnreadableRevisionException {
    try (Harness sluice = new Harness(StoredTraffic.settings())) {
      for (LimitRevision each : revisions()) sluice.revise(each);
      StoredTraffic.before().forEach(each -> send(sluice, each));
      verdicts(sluice);
      List<String> rows = new ArrayList<>();
      STORES.forEach(store -> rows.addAll(rows(sluice, store)));
      StoredFile.assertGolden(StoredTraffic.STORES, rows);

      sluice.runTo(StoredTraffic.LATER_MS);
      List<String> then = new ArrayList<>(verdicts(sluice));
      StoredTraffic.after().forEach(each -> send(sluice, each));
      then.addAll(verdicts(sluice));
      StoredFile.assertGolden(StoredTraffic.VERDICTS, then);
    }
  }

  /** Last revisions in the stored topic. */
  private static List<LimitRevision> revisions() throws UnreadableRevisionException {
    List<LimitRevision> revisions = new ArrayList<>();
    for (String each : StoredFile.all(StoredFile.RELEASE + "/" + StoredTraffic.REVISIONS)) {
      String[] record = each.split(" ");
      byte[] key = StoredTraffic.bytes(record[0]);
      byte[] value = StoredTraffic.bytes(record[1]);
      revisions.removeIf(before -> before.id().equals(new String(key, UTF_8)));
      if (value != null) revisions.add(new RevisionReader().ofRecord(key, value, Harness.NOON_MS));
    }
    assertThat(revisions).hasSize(4);
    return revisions;
  }

  private static void send(Harness sluice, String event) {
    sluice.send(event.getBytes(UTF_8), new RecordHeaders());
  }

  private static List<String> rows(Harness sluice, String store) {
    KeyValueStore<Bytes, byte[]> rows = sluice.driver.getKeyValueStore(store);
    List<String> lines = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = rows.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> row = all.next();
        lines.add(
            store + " " + StoredTraffic.hex(row.key.get()) + " " + StoredTraffic.hex(row.value));
      }
    }
    assertThat(lines).as(store).isNotEmpty();
    return lines.stream().sorted().toList();
  }

  /** Verdicts in the order of their texts, since records of several topics have no order. */
  private static List<String> verdicts(Harness sluice) {
    List<String> lines = new ArrayList<>();
    for (String topic : sluice.config.outputTopics()) {
      for (Harness.Out out : sluice.read(topic)) {
        lines.add(StoredTraffic.line(topic, out.value(), out.headers()));
      }
    }
    return lines.stream().sorted().toList();
  }
}
