import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Starts the Spring application from the README with an embedded broker and Redis, and checks it:
 * its controller answers 200, 200, 429, and its listener gets all records in order, at most five in
 * two seconds. It also has a limit in Redis that follows the revisions of a Sluice application, of
 * which there is one.
 *
 * <p>The arguments are the command that starts the application.
 */
class CheckApplication {
  private static final int ORDERS = 12;

  public static void main(String[] command) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      try (Admin admin = Admin.create(client)) {
        admin
            .createTopics(
                List.of(
                    new NewTopic("orders", 1, (short) 1),
                    new NewTopic("shop-limits", 1, (short) 1)))
            .all()
            .get();
      }
      try (KafkaProducer<String, String> producer = producer(client)) {
        String less = "{\"limit\":\"reply\",\"set\":{\"quota\":\"3/60s\"}}";
        producer.send(new ProducerRecord<>("shop-limits", "less", less));
      }
      List<String> started = new ArrayList<>(List.of(command));
      started.add("--server.port=0");
      started.add("--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
      started.add("--spring.kafka.consumer.auto-offset-reset=earliest");
      started.add("--sluice.bootstrap.servers=" + kafka.bootstrapServers());
      started.add("--sluice.application.id=shop");
      started.add("--sluice.limit.reply.quota=5/60s");
      started.add("--sluice.limit.reply.backend=redis");
      started.add("--sluice.limit.reply.redis.unavailable=reject");
      started.add("--sluice.redis.uri=" + redis.uri());
      Process application = new ProcessBuilder(started).redirectErrorStream(true).start();
      try (BufferedReader log = application.inputReader()) {
        next(log, "limits follow shop-limits, which has 1 revisions");
        int port = Integer.parseInt(next(log, "Tomcat started on port ").split(" ")[0]);
        expect(statuses(port, "/api/hi", 3), List.of(200, 200, 429));
        expect(statuses(port, "/api/reply", 4), List.of(200, 200, 200, 429));
        try (KafkaProducer<String, String> producer = producer(client)) {
          IntStream.rangeClosed(1, ORDERS)
              .forEach(i -> producer.send(new ProducerRecord<>("orders", "order " + i)));
        }
        checkListener(log);
      } finally {
        application.destroyForcibly();
      }
    }
    System.out.println("the pages' application does what they say");
    System.exit(0);
  }

  private static KafkaProducer<String, String> producer(Map<String, Object> client) {
    return new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
  }

  private static String line = "";

  /**
   * Reads the log up to a line that contains the text, and returns the rest of that line; fails
   * with the whole log if there is none.
   */
  private static String next(BufferedReader log, String text) throws Exception {
    StringBuilder shown = new StringBuilder();
    while ((line = log.readLine()) != null) {
      shown.append(line).append('\n');
      int at = line.indexOf(text);
      if (at >= 0) return line.substring(at + text.length());
    }
    throw new AssertionError("no \"" + text + "\" in\n" + shown);
  }

  private static List<Integer> statuses(int port, String path, int calls) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      statuses.add(
          HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode());
    }
    return statuses;
  }

  private static void checkListener(BufferedReader log) throws Exception {
    List<String> shipped = new ArrayList<>();
    List<OffsetDateTime> times = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      shipped.add(next(log, "shipped "));
      times.add(OffsetDateTime.parse(line.split(" ")[0]));
    }
    expect(shipped, IntStream.rangeClosed(1, ORDERS).mapToObj(i -> "order " + i).toList());
    // The eleventh order is in the third period. One of the four seconds is tolerance for the time
    // between meter and log.
    Duration between = Duration.between(times.get(0), times.get(10));
    if (between.compareTo(Duration.ofSeconds(3)) < 0) {
      throw new AssertionError("eleven orders within " + between);
    }
  }

  private static void expect(Object found, Object wanted) {
    if (!found.equals(wanted)) throw new AssertionError(found + ", not " + wanted);
  }
}
