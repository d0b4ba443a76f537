package io.sluice.bench.lab;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.sluice.bench.input.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka broker and Redis servers for all measurements, each in its own process, with a temporary
 * folder for the state of applications.
 */
public final class Laboratory implements AutoCloseable {
  private static final int CHUNK = 10_000;
  private static final int BROKER = 1; // the node id of the only broker
  private static final long LOOK_AGAIN_NANOS = 20_000_000;

  private final BrokerProcess broker = BrokerProcess.start();
  private final RedisServers redis = new RedisServers();
  private final Admin admin =
      Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));

  private final Path folder = Files.createTempDirectory("sluice-bench-");
  private final PrintWriter progress;
  private final Map<String, String> settings;

  /**
   * @param settings settings of all applications, which take precedence over all others
   */
  public Laboratory(PrintWriter progress, Map<String, String> settings) throws IOException {
    this.progress = progress;
    this.settings = Map.copyOf(settings);
  }

  public Map<String, String> settings() {
    return settings;
  }

  /** Prints a line about the progress. */
  public void say(String line, Object... about) {
    progress.println(String.format(Locale.ROOT, line, about));
    progress.flush();
  }

  /** Creates a folder that is deleted at the end. */
  public Path createFolder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Returns the CPU time in nanoseconds of the broker's process since its start. */
  public long brokerNanos() {
    return broker.cpuNanos();
  }

  public RedisServers redis() {
    return redis;
  }

  public Admin admin() {
    return admin;
  }

  /**
   * Creates a topic, and returns when the broker accepts records for it: a producer that sends
   * earlier may retry for minutes.
   */
  public void createTopic(String name, Map<String, String> settings)
      throws ExecutionException, InterruptedException {
    NewTopic topic = new NewTopic(name, Workload.PARTITIONS, (short) 1).configs(settings);
    admin.createTopics(List.of(topic)).all().get();
    while (!hasLeaders(name)) LockSupport.parkNanos(LOOK_AGAIN_NANOS);
  }

  private boolean hasLeaders(String topic) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    partitions(topic).forEach(partition -> latest.put(partition, OffsetSpec.latest()));
    try {
      admin.listOffsets(latest).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException) return false; // no leader known yet
      throw e;
    }
  }

  public static List<TopicPartition> partitions(String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < Workload.PARTITIONS; i++) partitions.add(new TopicPartition(topic, i));
    return partitions;
  }

  /** Returns the bytes on the broker of an application's topics, its internal topics included. */
  public long bytesOf(String applicationId) throws ExecutionException, InterruptedException {
    return admin.describeLogDirs(List.of(BROKER)).allDescriptions().get().values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(folder -> folder.replicaInfos().entrySet().stream())
        .filter(replica -> replica.getKey().topic().startsWith(applicationId + "-"))
        .mapToLong(replica -> replica.getValue().size())
        .sum();
  }

  /** Deletes the topics of an application, including the internal topics of Kafka Streams. */
  public void deleteTopics(String applicationId) throws ExecutionException, InterruptedException {
    List<String> theirs =
        admin.listTopics().names().get().stream()
            .filter(name -> name.startsWith(applicationId + "-"))
            .toList();
    admin.deleteTopics(theirs).all().get();
  }

  public void deleteTopic(String name) throws ExecutionException, InterruptedException {
    admin.deleteTopics(List.of(name)).all().get();
  }

  /** Deletes all records of a topic. */
  public void emptyTopic(String name) throws ExecutionException, InterruptedException {
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    // -1 means up to the high watermark, which is after a transaction's commit marker.
    for (TopicPartition each : partitions(name)) all.put(each, RecordsToDelete.beforeOffset(-1));
    admin.deleteRecords(all).all().get();
  }

  public void publish(Workload workload) throws ExecutionException, InterruptedException {
    createTopic(workload.topic(), Map.of());
    publish(workload, 0);
  }

  /**
   * Publishes the events of a workload to their existing topic, from the event with this number on.
   */
  public void publish(Workload workload, long first)
      throws ExecutionException, InterruptedException {
    publish(workload.events(), i -> workload.record(first + i));
  }

  public void publish(long events, LongFunction<ProducerRecord<byte[], byte[]>> record)
      throws ExecutionException, InterruptedException {
    Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", 20);
    List<Future<RecordMetadata>> sent = new ArrayList<>(CHUNK);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long i = 0; i < events; i++) {
        sent.add(producer.send(record.apply(i)));
        if (sent.size() == CHUNK) await(sent);
      }
      await(sent);
    }
  }

  /** Returns a consumer that is at the first committed record of a topic. */
  public KafkaConsumer<byte[], byte[]> consumer(String topic, int mostInAPoll) {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "max.poll.records",
            mostInAPoll);
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.assign(partitions(topic));
    consumer.seekToBeginning(consumer.assignment());
    return consumer;
  }

  private static void await(List<Future<RecordMetadata>> sent)
      throws ExecutionException, InterruptedException {
    for (Future<RecordMetadata> each : sent) each.get();
    sent.clear();
  }

  @Override
  public void close() throws IOException {
    admin.close();
    redis.close();
    broker.close();
    MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
  }
}
