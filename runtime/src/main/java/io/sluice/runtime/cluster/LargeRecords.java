package io.sluice.runtime.cluster;

import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Size settings that let Kafka Streams write records as large as those of the input topics, in
 * batches that the topics accept. Explicit settings are kept.
 */
final class LargeRecords {
  /*
   * A topic's limit is for compressed records, a producer's for uncompressed ones: a compressed
   * megabyte may be ten or more uncompressed. But a request must stay below a broker's limit (100
   * MB), and it holds several records.
   */
  private static final int MEBIBYTE = 1 << 20;
  static final int MOST_SENT = 16 * MEBIBYTE;
  private static final long MOST_SENT_IF_COMPRESSED = 64L * MEBIBYTE;
  private static final int COMPRESSED_TO = 16;
  private static final long BUFFER_BYTES = 32L * MEBIBYTE;
  private static final int KAFKAS_BATCH = 16_384;
  private static final String TOPIC_BYTES =
      StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

  private LargeRecords() {}

  /**
   * Raises the size settings that are too small for the input topics, unless the user has given
   * them.
   */
  static void provideFor(SluiceConfig config, TopicSetup.Prepared topics, Properties streams) {
    long mostSent = mostSent(topics.largestInput());
    provide(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, mostSent, streams);
    long buffer = Math.max(BUFFER_BYTES, 2 * mostSent);
    provide(ProducerConfig.BUFFER_MEMORY_CONFIG, buffer, streams);
    streams.putIfAbsent(TOPIC_BYTES, Integer.toString(topics.roomy()));
    String batch = StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG);
    if (streams.containsKey(batch) && !config.given().contains(batch)) {
      long bounded = Math.min(number(streams.get(batch)), mostInABatch(topics, buffer));
      streams.setProperty(batch, Long.toString(Math.max(KAFKAS_BATCH, bounded)));
    }
  }

  /**
   * Returns the largest useful batch: the smallest topic's limit, since a broker refuses a larger
   * batch, and the producer then splits and resends it; and the buffer's share of a partition,
   * since the producer reserves a whole batch for each partition that it writes, and a stream
   * thread that waits for memory processes nothing.
   */
  private static long mostInABatch(TopicSetup.Prepared topics, long buffer) {
    Map<String, Most> sizes = topics.sizes();
    int least = sizes.values().stream().mapToInt(Most::bytes).min().orElse(Integer.MAX_VALUE);
    long share = buffer / Math.max(1, (long) sizes.size() * topics.partitions());
    return Math.min(least, share);
  }

  /** Sets the sizes for input topics that are not known, to the sizes of Sluice's own topics. */
  static void provide(Properties streams) {
    provide(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MOST_SENT, streams);
    streams.putIfAbsent(TOPIC_BYTES, Integer.toString(MOST_SENT));
  }

  private static void provide(String name, long value, Properties streams) {
    if (streams.containsKey(name)) return;
    streams.putIfAbsent(StreamsConfig.producerPrefix(name), Long.toString(value));
  }

  static long mostSent(int largestInput) {
    long plain = (long) largestInput + MEBIBYTE;
    long mebibytes = largestInput / MEBIBYTE;
    long expanded = Math.min(MOST_SENT_IF_COMPRESSED, mebibytes * COMPRESSED_TO * MEBIBYTE);
    return Math.min(Integer.MAX_VALUE, Math.max(MOST_SENT, Math.max(plain, expanded)));
  }

  /** Returns the largest records that can be written to each topic with these settings. */
  static RecordSizes sizes(
      SluiceConfig config,
      TopicSetup.Prepared topics,
      StreamsConfig streams,
      RecordSizes.Describer describer) {
    Map<String, Most> sizes = new HashMap<>(topics.sizes());
    int bytes = number(streams.originals(), TOPIC_BYTES, topics.roomy());
    Most created = new Most(bytes, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    for (String name : Nodes.internalTopics(config.applicationId()))
      sizes.putIfAbsent(name, created);
    return new RecordSizes(sizes, sending(streams.getProducerConfigs("sizes")), describer);
  }

  private static Sending sending(Map<String, Object> producer) {
    ConfigDef.ConfigKey compression =
        ProducerConfig.configDef().configKeys().get(ProducerConfig.COMPRESSION_TYPE_CONFIG);
    Object name = producer.getOrDefault(compression.name, compression.defaultValue);
    int request = number(producer, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MOST_SENT);
    int buffer = number(producer, ProducerConfig.BUFFER_MEMORY_CONFIG, (int) BUFFER_BYTES);
    return new Sending(Math.min(request, buffer), compression(name.toString()));
  }

  private static Compression compression(String name) {
    return name.equals("none") ? Compression.NONE : Compression.of(name).build();
  }

  private static int number(Map<String, Object> settings, String name, int otherwise) {
    Object given = settings.get(name);
    return given == null ? otherwise : number(given);
  }

  private static int number(Object given) {
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(given.toString().trim()));
  }

  /** Warnings of topics that take smaller records than the input, a line each. */
  static List<String> warnings(SluiceConfig config, TopicSetup.Prepared topics) {
    Topics names = config.topics();
    List<String> written = new ArrayList<>(OutputTopics.names(names.allowed(), names.rejected()));
    written.add(names.delayed());
    written.addAll(names.deadLetter().names());
    written.addAll(Nodes.internalTopics(config.applicationId()));
    List<String> warnings = new ArrayList<>();
    if (topics.hidden()) {
      warnings.add(
          "the maximum record sizes of topics are unknown, because the right DescribeConfigs is"
              + " missing: an event that is too large for a topic stops a stream thread for a"
              + " moment, before it becomes a dead letter");
    }
    for (String name : written) {
      Most most = topics.sizes().get(name);
      if (most == null || most.bytes() >= topics.largestInput()) continue;
      warnings.add(
          name
              + " takes records of up to "
              + most.bytes()
              + " bytes, but the input topics take up to "
              + topics.largestInput()
              + ": an event that does not fit becomes a dead letter; raise the topic's "
              + most.setting());
    }
    return warnings;
  }
}
