package io.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Creates the events that the demo publishes: JSON values, with the user id as record key. */
final class DemoTraffic {
  static final int REPLIES = 20;
  static final int POSTS = 40;

  private static final String WEB_LOG = "web-actions.jsonl";

  /** Key and value of a Kafka record to be sent. */
  record Message(String key, String json) {}

  private DemoTraffic() {}

  /**
   * Returns the requests of a web server's log from May 2015 as events, in the order of the log.
   */
  static List<Message> requests() {
    try (InputStream in = DemoTraffic.class.getResourceAsStream(WEB_LOG);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<Message> requests = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        requests.add(new Message(userOf(line), line));
      }
      return requests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String userOf(String line) {
    String field = "\"userId\":\"";
    int start = line.indexOf(field) + field.length();
    return line.substring(start, line.indexOf('"', start));
  }

  /** Returns {@link #REPLIES} replies of one user, all at the time {@code nowMs}. */
  static List<Message> replies(long nowMs) {
    return messages(REPLIES, i -> event("reply-" + (i + 1), "ada", "reply", nowMs));
  }

  /** Returns {@link #POSTS} posts of one user, all at the time {@code nowMs}. */
  static List<Message> posts(long nowMs) {
    return messages(POSTS, i -> event("post-" + (i + 1), "bob", "post", nowMs));
  }

  private static List<Message> messages(int count, IntFunction<Message> message) {
    return IntStream.range(0, count).mapToObj(message).toList();
  }

  private static Message event(String id, String user, String action, long occurredAtMs) {
    String json =
        "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
            .formatted(id, user, action, occurredAtMs);
    return new Message(user, json);
  }
}
