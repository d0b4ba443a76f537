package io.sluice.streams;

import io.sluice.topology.intake.Nodes;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serde;

/**
 * Serializes keys and values with the application's serdes; null stays null. The serdes get the
 * name of the repartition topic, as in a repartition by Kafka Streams itself.
 *
 * @param prefix prefix of the names of a throttled stream's nodes, stores and topics
 */
record Serialized<K, V>(Serde<K> keys, Serde<V> values, String prefix) {
  String topic(String applicationId) {
    return Nodes.hopTopic(applicationId, prefix);
  }

  byte[] key(String topic, Headers headers, K key) {
    return key == null ? null : keys.serializer().serialize(topic, headers, key);
  }

  byte[] value(String topic, Headers headers, V value) {
    return value == null ? null : values.serializer().serialize(topic, headers, value);
  }

  K key(String topic, Headers headers, byte[] bytes) {
    return bytes == null ? null : keys.deserializer().deserialize(topic, headers, bytes);
  }

  V value(String topic, Headers headers, byte[] bytes) {
    return bytes == null ? null : values.deserializer().deserialize(topic, headers, bytes);
  }
}
