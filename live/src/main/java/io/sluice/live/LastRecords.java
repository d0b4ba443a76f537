package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.RevisionReader;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Last record of each key in the topic of revisions, as compaction would leave them. Not
 * thread-safe.
 */
final class LastRecords {
  private final RevisionReader reader;
  private final Map<Object, RevisionTopic.Written> revisions = new LinkedHashMap<>();
  private final Map<Object, RevisionTopic.Unreadable> unreadable = new LinkedHashMap<>();
  private final Map<Object, Long> firstMs = new LinkedHashMap<>();

  LastRecords(RevisionReader reader) {
    this.reader = reader;
  }

  void add(ConsumerRecord<byte[], byte[]> record) {
    if (InstanceRecord.isKey(record.key())) return;
    Object key = key(record);
    revisions.remove(key);
    unreadable.remove(key);
    if (record.value() == null) firstMs.remove(key);
    else take(key, record);
  }

  /**
   * Returns the record's key; for a record without a key its offset, so that it replaces no other
   * record.
   */
  private static Object key(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) return record.offset();
    return ByteBuffer.wrap(record.key());
  }

  private void take(Object key, ConsumerRecord<byte[], byte[]> record) {
    long atMs = record.timestamp();
    long firstAtMs = firstMs.merge(key, atMs, (first, now) -> first);
    try {
      var read = reader.ofRecord(record.key(), record.value(), atMs);
      revisions.put(key, new RevisionTopic.Written(read, record.offset(), atMs, firstAtMs));
    } catch (UnreadableRevisionException e) {
      String id = record.key() == null ? "" : new String(record.key(), UTF_8);
      unreadable.put(key, new RevisionTopic.Unreadable(id, e.getMessage(), record.offset(), atMs));
    }
  }

  List<RevisionTopic.Written> revisions() {
    return List.copyOf(revisions.values());
  }

  List<RevisionTopic.Unreadable> unreadable() {
    return List.copyOf(unreadable.values());
  }
}
