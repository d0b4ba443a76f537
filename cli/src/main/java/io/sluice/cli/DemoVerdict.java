package io.sluice.cli;

import io.sluice.live.change.RevisionFormatter;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Record of an output topic in the demo: an event as JSON, and its verdict headers. */
record DemoVerdict(String topic, String json, Map<String, String> headers) {

  static DemoVerdict of(ConsumerRecord<String, String> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), DemoClient.utf8(header.value()));
    }
    return new DemoVerdict(record.topic(), record.value(), headers);
  }

  String header(String key) {
    return headers.getOrDefault(key, "");
  }

  String limit() {
    return header("sluice-limit");
  }

  boolean isAllowed() {
    return header("sluice-verdict").equals("allowed");
  }

  boolean isRejected() {
    return header("sluice-verdict").equals("rejected");
  }

  /** Returns the value of a string field of the event's JSON. */
  String field(String name) {
    String mark = "\"" + name + "\":\"";
    int start = json.indexOf(mark) + mark.length();
    return json.substring(start, json.indexOf('"', start));
  }

  String retryAfter() {
    String millis = header("sluice-retry-after-ms");
    return millis.isEmpty() ? "" : RevisionFormatter.period(Long.parseLong(millis));
  }
}
