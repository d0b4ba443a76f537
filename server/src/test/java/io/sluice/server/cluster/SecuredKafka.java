package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.live.kafka.Right;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.serialization.StringSerializer;

/** Broker with an authorizer, an administrator, and a user {@code sluice} without rights. */
final class SecuredKafka implements AutoCloseable {
  static final String USER = "sluice";

  private final EmbeddedKafka kafka =
      EmbeddedKafka.builder().users(Map.of("admin", "secret", USER, "secret too")).start();
  private final Admin admin = Admin.create(client("admin"));

  /** Settings of a client that logs in as this user. */
  Map<String, Object> client(String user) {
    Map<String, Object> settings = new HashMap<>(kafka.login(user));
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    return settings;
  }

  /** Settings of the user {@code sluice}, as in a properties file. */
  Map<String, String> sluice() {
    Map<String, String> settings = new HashMap<>();
    client(USER).forEach((key, value) -> settings.put(key, (String) value));
    return settings;
  }

  void grant(Collection<Right> rights) throws Exception {
    admin.createAcls(rights.stream().map(SecuredKafka::acl).toList()).all().get();
    awaitAcls(rights, true);
  }

  void revoke(Collection<Right> rights) throws Exception {
    List<AclBindingFilter> filters = rights.stream().map(right -> acl(right).toFilter()).toList();
    admin.deleteAcls(filters).all().get();
    awaitAcls(rights, false);
  }

  private void awaitAcls(Collection<Right> rights, boolean there) {
    List<AclBinding> acls = rights.stream().map(SecuredKafka::acl).toList();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              Collection<AclBinding> now = admin.describeAcls(AclBindingFilter.ANY).values().get();
              if (there) assertThat(now).containsAll(acls);
              else assertThat(now).doesNotContainAnyElementsOf(acls);
            });
  }

  private static AclBinding acl(Right right) {
    return new AclBinding(
        new ResourcePattern(right.resource(), right.name(), right.pattern()),
        new AccessControlEntry("User:" + USER, "*", right.operation(), AclPermissionType.ALLOW));
  }

  void publish(String topic, List<String[]> keysAndValues) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client("admin"), new StringSerializer(), new StringSerializer())) {
      for (String[] each : keysAndValues) {
        producer.send(new ProducerRecord<>(topic, each[0], each[1])).get();
      }
    }
  }

  /** Number of records ever written to a topic, including transaction markers. */
  long written(String topic) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    int partitions =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
    for (int i = 0; i < partitions; i++) {
      ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(info -> info.offset())
        .sum();
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
  }
}
