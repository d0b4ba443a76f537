package io.sluice.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Set of the dead letters that were sent back to their input topics, with one bit for each offset.
 * A compacted topic keeps the set, in records of {@value #OFFSETS} offsets each. Not thread-safe.
 *
 * <p>The key of a record is the position of its first offset, {@code topic-partition-offset}; its
 * value is the version of the format, the id of the topic of dead letters, and the bits.
 */
final class SentLetters {
  /** Number of offsets in one record of the compacted topic. */
  static final int OFFSETS = 8_192;

  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;

  private final Map<String, Uuid> topicIds;
  private final Map<RecordPosition, Block> blocks = new HashMap<>();
  private final Set<RecordPosition> changed = new LinkedHashSet<>();

  /**
   * Sent letters among the offsets of one record.
   *
   * @param topicId of the topic when they were sent; another id means that the topic was recreated
   */
  private record Block(Uuid topicId, BitSet offsets) {
    static Block of(ByteBuffer value) {
      if (value.remaining() < HEAD_BYTES || value.get() != VERSION) {
        throw new IllegalArgumentException("its version is unknown");
      }
      Uuid topicId = new Uuid(value.getLong(), value.getLong());
      return new Block(topicId, BitSet.valueOf(value));
    }

    byte[] value() {
      byte[] bits = offsets.toByteArray();
      return ByteBuffer.allocate(HEAD_BYTES + bits.length)
          .put(VERSION)
          .putLong(topicId.getMostSignificantBits())
          .putLong(topicId.getLeastSignificantBits())
          .put(bits)
          .array();
    }
  }

  /**
   * Creates an empty set.
   *
   * @param topicIds current id of each topic of dead letters
   */
  SentLetters(Map<String, Uuid> topicIds) {
    this.topicIds = Map.copyOf(topicIds);
  }

  /**
   * Reads a record of the compacted topic, which replaces an earlier record with the same key.
   *
   * @throws IllegalArgumentException if a later release has written the record, or another program
   */
  void read(byte[] key, byte[] value) {
    if (key == null) throw new IllegalArgumentException("it has no key");
    RecordPosition first =
        RecordPosition.parse(new String(key, UTF_8))
            .filter(each -> each.offset() % OFFSETS == 0)
            .orElseThrow(() -> new IllegalArgumentException("its key is not a position"));
    if (value == null) blocks.remove(first);
    else blocks.put(first, Block.of(ByteBuffer.wrap(value)));
  }

  boolean contains(RecordPosition letter) {
    Block block = blocks.get(first(letter));
    return block != null
        && isCurrent(letter.topic(), block)
        && block.offsets.get(bit(letter.offset()));
  }

  private boolean isCurrent(String topic, Block block) {
    return block.topicId.equals(topicIds.get(topic));
  }

  /** Returns the position of the first offset in the letter's block. */
  private static RecordPosition first(RecordPosition letter) {
    long offset = letter.offset() - bit(letter.offset());
    return new RecordPosition(letter.topic(), letter.partition(), offset);
  }

  private static int bit(long offset) {
    return (int) (offset % OFFSETS);
  }

  void add(RecordPosition letter) {
    RecordPosition first = first(letter);
    Block block = blocks.get(first);
    if (block == null || !isCurrent(letter.topic(), block)) {
      block = new Block(topicIds.get(letter.topic()), new BitSet());
      blocks.put(first, block);
    }
    block.offsets.set(bit(letter.offset()));
    changed.add(first);
  }

  /**
   * Removes letters that are not in their topics any more.
   *
   * @param beginnings first offset of each partition of the topics of dead letters
   */
  void retainSince(Map<TopicPartition, Long> beginnings) {
    for (RecordPosition first : List.copyOf(blocks.keySet())) {
      // Letters of another topic are kept: the application's next configuration may name it again.
      if (!topicIds.containsKey(first.topic())) continue;
      Long begin = beginnings.get(new TopicPartition(first.topic(), first.partition()));
      boolean isGone = begin == null || first.offset() + OFFSETS <= begin;
      if (!isGone && isCurrent(first.topic(), blocks.get(first))) continue;
      blocks.remove(first);
      changed.add(first);
    }
  }

  /** Returns the records that make the compacted topic contain this set. */
  List<ProducerRecord<byte[], byte[]>> changes(String topic) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (RecordPosition each : changed) {
      Block block = blocks.get(each);
      byte[] value = block == null ? null : block.value();
      records.add(new ProducerRecord<>(topic, each.toString().getBytes(UTF_8), value));
    }
    return records;
  }

  /** Notes that the compacted topic contains this set. */
  void written() {
    changed.clear();
  }
}
