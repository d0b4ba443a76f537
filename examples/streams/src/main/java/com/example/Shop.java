package com.example;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;

import io.sluice.streams.Action;
import io.sluice.streams.Throttle;
import io.sluice.streams.Throttled;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Produced;

/** Kafka Streams application of a shop that limits the orders of each customer. */
public class Shop {
  static final Serde<String> TEXT = Serdes.String();

  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      System.err.println("usage: com.example.Shop FILE, such as src/main/resources/shop.properties");
      System.exit(2);
    }
    Throttle throttle = Throttle.of(SluiceConfig.load(Path.of(arguments[0]), System.getenv()));
    KafkaStreams streams = throttle.streams(topology(throttle));
    streams.setUncaughtExceptionHandler(failure -> REPLACE_THREAD);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  streams.close();
                  throttle.close();
                }));
    streams.start();
  }

  static Topology topology(Throttle throttle) {
    StreamsBuilder builder = new StreamsBuilder();
    // The customer of each session, and its wishes, such as "order tea" or "gift ribbon".
    KTable<String, String> customers = builder.table("customers", Consumed.with(TEXT, TEXT));
    KStream<String, String> wishes =
        builder.stream("wishes", Consumed.with(TEXT, TEXT))
            .join(customers, (wish, customer) -> customer + " " + wish);

    Throttled<String, String> throttled =
        throttle
            .with(TEXT, TEXT)
            .by((session, wish) -> action(wish))
            .named("wishes")
            .apply(builder, wishes);

    throttled
        .allowed()
        .join(
            customers,
            (wish, customer) -> wish + ", sent to " + customer,
            Joined.with(TEXT, TEXT, TEXT))
        .to("wishes-checked", Produced.with(TEXT, TEXT));
    throttled.rejected().to("wishes-refused", Produced.with(TEXT, TEXT));
    throttled.odd().to("wishes-odd", Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    return builder.build();
  }

  /** Returns the action by which limits match and count a wish; null for an invalid wish. */
  static Action action(String wish) {
    String[] words = wish.split(" ");
    return words.length < 3 ? null : Action.of(words[0], words[1]);
  }
}
