import io.sluice.embedded.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Starts the stream application from the README with an embedded broker, and checks it: two of
 * three orders in a minute are allowed, a second gift waits for a second, and a record that is not
 * a wish is odd. The process must end on SIGTERM.
 *
 * <p>The arguments are a folder that contains only the README's {@code shop.properties}, and the
 * command that starts the application.
 */
class CheckShop {
  private static final List<String> TOPICS =
      List.of("customers", "wishes", "wishes-checked", "wishes-refused", "wishes-odd");
  private static final List<String> WISHES =
      List.of("order tea", "order milk", "order cake", "gift ribbon", "gift bow", "gift");

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    List<String> command = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      Map<String, Object> client =
          Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
      try (Admin admin = Admin.create(client)) {
        admin
            .createTopics(TOPICS.stream().map(name -> new NewTopic(name, 1, (short) 1)).toList())
            .all()
            .get();
      }
      publish(client);
      command.add(properties(folder, kafka.bootstrapServers()).toString());
      Process application = new ProcessBuilder(command).inheritIO().start();
      try {
        check(client);
        application.destroy();
        if (!application.waitFor(30, TimeUnit.SECONDS)) throw new AssertionError("it does not end");
      } finally {
        application.destroyForcibly();
      }
    }
    System.out.println("the page's stream does what it says");
    System.exit(0);
  }

  /** Writes the README's properties with the address of the broker. */
  private static Path properties(Path folder, String address) throws Exception {
    String page = Files.readString(folder.resolve("shop.properties"));
    if (!page.contains("localhost:9092")) throw new AssertionError("no broker in " + page);
    String state = "state.dir=" + folder.resolve("state") + "\n";
    return Files.writeString(
        folder.resolve("my.properties"), page.replace("localhost:9092", address) + state);
  }

  private static void publish(Map<String, Object> client) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("customers", "session-1", "ada")).get();
      for (String wish : WISHES) {
        producer.send(new ProducerRecord<>("wishes", "session-1", wish)).get();
      }
    }
  }

  private static void check(Map<String, Object> client) {
    Map<String, Long> seenAt = new HashMap<>();
    List<ConsumerRecord<String, String>> checked = read(client, "wishes-checked", 4, seenAt);
    expect(
        checked.stream().map(ConsumerRecord::value).toList(),
        Stream.of("order tea", "order milk", "gift ribbon", "gift bow")
            .map(wish -> "ada " + wish + ", sent to ada")
            .toList());
    long waited = seenAt.get(checked.get(3).value()) - checked.get(2).timestamp();
    if (waited < 1000) throw new AssertionError("two gifts within " + waited + " ms");
    ConsumerRecord<String, String> refused = read(client, "wishes-refused", 1, seenAt).get(0);
    expect(refused.value(), "ada order cake");
    expect(header(refused, "sluice-reason"), "over-limit");
    ConsumerRecord<String, String> odd = read(client, "wishes-odd", 1, seenAt).get(0);
    expect(odd.value(), "ada gift");
    if (header(odd, "sluice-error").isEmpty()) throw new AssertionError("odd for no reason");
  }

  /** Reads the records of a topic, and notes when each was seen, ms. */
  private static List<ConsumerRecord<String, String>> read(
      Map<String, Object> client, String topic, int count, Map<String, Long> seenAt) {
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (read.size() < count) {
        for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofSeconds(1))) {
          seenAt.put(each.value(), System.currentTimeMillis());
          read.add(each);
        }
      }
    }
    return read;
  }

  private static String header(ConsumerRecord<String, String> of, String name) {
    return new String(of.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static void expect(Object found, Object wanted) {
    if (!found.equals(wanted)) throw new AssertionError(found + ", not " + wanted);
  }
}
