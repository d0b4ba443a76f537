package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.live.kafka.MissingRights;
import io.sluice.live.kafka.Right;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check of an instance's rights in Kafka. It runs before the start and then every half minute,
 * since rights can be revoked and Kafka Streams does not always notice.
 */
final class AccessCheck implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessCheck.class);
  private static final long SOON_SECONDS = 2;
  private static final long LATER_SECONDS = 30;

  private final TopicRights rights;
  private final Properties streams;
  private final RightsCheck check;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Set<Right> missingBefore = Set.of();

  private AccessCheck(TopicRights rights, Properties streams) {
    this.rights = rights;
    this.streams = streams;
    check = new RightsCheck(rights, streams);
  }

  /** Creates a check of the rights on the topics that the settings name. */
  static AccessCheck to(SluiceConfig config) {
    return new AccessCheck(
        new TopicRights(config.applicationId(), config.topics()), config.streams());
  }

  /**
   * Creates a check of the rights on the topics that the settings name, and on those that Kafka
   * Streams creates for the topology.
   */
  static AccessCheck to(SluiceConfig config, Topology topology) {
    TopicRights rights = new TopicRights(config.applicationId(), config.topics()).with(topology);
    return new AccessCheck(rights, config.streams());
  }

  /**
   * Explains a failure to prepare the topics by the missing right, if a missing right is its cause.
   */
  static StartException explained(StartException e, SluiceConfig config) {
    Failure failure = Failure.of(e);
    if (!(failure.cause() instanceof AuthorizationException)) return e;
    try (AccessCheck access = to(config)) {
      return new StartException(access.explain(failure), e);
    }
  }

  /**
   * Checks the rights now, once.
   *
   * @throws StartException if rights are missing; the message names all of them
   */
  void require() {
    Set<Right> missing = missing();
    if (!missing.isEmpty()) throw new StartException(new MissingRights(missing, streams).line());
  }

  /** Returns the missing rights; empty if none is missing, or if Kafka does not tell. */
  private Set<Right> missing() {
    try {
      return check.ask().missing();
    } catch (KafkaException e) {
      LOG.debug("the rights in Kafka are unknown", e);
      return Set.of();
    }
  }

  /**
   * Repeats the check on a thread of its own.
   *
   * @param ending receives one line if a right is missing in two checks in a row; one check is not
   *     enough, since brokers learn of changed rights one after another
   */
  void watch(Consumer<String> ending) {
    Thread watching = new Thread(() -> lookAgain(ending), "sluice-rights");
    watching.setDaemon(true);
    watching.start();
  }

  private void lookAgain(Consumer<String> ending) {
    boolean soon = true;
    try {
      while (!closed.await(soon ? SOON_SECONDS : LATER_SECONDS, TimeUnit.SECONDS)) {
        soon = look(ending);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Checks the rights once; returns whether to check them again soon. */
  private boolean look(Consumer<String> ending) {
    try {
      RightsCheck.Answer answer = check.ask();
      Set<Right> still = new LinkedHashSet<>(answer.missing());
      still.retainAll(missingBefore);
      if (!still.isEmpty()) ending.accept(new MissingRights(still, streams).line());
      missingBefore = answer.missing();
      // Topics that Kafka Streams creates exist soon after the start, and only then show their
      // rights.
      return !answer.allTopicsExist() || !missingBefore.isEmpty();
    } catch (RuntimeException e) {
      LOG.debug("the rights in Kafka are unknown", e);
      return false;
    }
  }

  /** Describes a failure in one line; if it is a denial, with the missing right. */
  String explain(Failure failure) {
    if (failure.cause() instanceof AuthorizationException denied) {
      Set<Right> missing = missing(denied);
      if (!missing.isEmpty()) return new MissingRights(missing, streams).line();
      return "Kafka denies a request: " + failure.line();
    }
    if (failure.cause() instanceof AuthenticationException) {
      return "Kafka rejects the login: "
          + failure.line()
          + "; check security.protocol and the settings that begin with sasl. or ssl.";
    }
    if (failure.isOfTheCluster())
      return "Kafka does not accept the configuration: " + failure.line();
    return "Sluice has failed: " + failure.line() + "; the log has the details";
  }

  /**
   * Finds the rights that are missing after a denial. The exception names topics but not
   * operations, so Kafka is asked for the allowed operations.
   */
  private Set<Right> missing(AuthorizationException denied) {
    if (denied instanceof GroupAuthorizationException group) {
      String named = Optional.ofNullable(group.groupId()).orElse(application());
      Set<Right> all = new LinkedHashSet<>(missing());
      all.add(Right.of(AclOperation.READ, ResourceType.GROUP, named));
      return all;
    }
    if (denied instanceof TransactionalIdAuthorizationException) {
      return Set.of(Right.ofAll(AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, application()));
    }
    Set<Right> missing = missing();
    if (!missing.isEmpty() || !(denied instanceof TopicAuthorizationException topics)) {
      return missing;
    }
    Set<Right> any = new LinkedHashSet<>();
    topics.unauthorizedTopics().forEach(topic -> any.addAll(rights.missing(topic, Set.of())));
    return any;
  }

  private String application() {
    return streams.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
  }

  @Override
  public void close() {
    closed.countDown();
    check.close();
  }
}
