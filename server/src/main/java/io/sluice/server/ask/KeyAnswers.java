package io.sluice.server.ask;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.server.web.Route.Reply;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.HomePartitioner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Answers API queries about one key of a limit, from this instance or from the instance that stores
 * the key.
 */
final class KeyAnswers {
  private static final int MOST_CHARS = 10_000;

  private final SluiceConfig config;
  private final CurrentLimits limits;
  private final HomePartitioner home;
  private final StoredAnswers stored;
  private final RemoteAnswers remote;
  private final Owners owners;
  private final InstantSource clock;

  KeyAnswers(
      SluiceConfig config,
      CurrentLimits limits,
      HomePartitioner home,
      StoredAnswers stored,
      RemoteAnswers remote,
      Owners owners,
      InstantSource clock) {
    this.config = config;
    this.limits = limits;
    this.home = home;
    this.stored = stored;
    this.remote = remote;
    this.owners = owners;
    this.clock = clock;
  }

  /**
   * Answers a query about one key of the named limit.
   *
   * @param path of the request, sent on to the instance that has the key
   */
  Reply about(String name, String path, Map<String, String> parameters) {
    long nowMs = clock.millis();
    LimitsInForce known = limits.known();
    List<Limit> all = known.at(nowMs).all();
    Optional<Limit> limit = all.stream().filter(each -> each.name().equals(name)).findAny();
    if (limit.isEmpty()) {
      return Reply.problem(404, "no such limit is in force; limits in force: " + names(all));
    }
    List<Field> fields = limit.get().key().fields();
    Optional<String> mistake = mistake(fields, parameters);
    if (mistake.isPresent()) return Reply.problem(400, mistake.get());
    List<String> values =
        fields.stream()
            .map(each -> known.forms().of(each, parameters.get(each.toString())))
            .toList();
    KeyQuery question = KeyQuery.of(known, limit.get(), values, nowMs);
    return question.limit().backend() == Limit.Backend.REDIS
        ? fromRedis(question, path, parameters)
        : fromStore(question, path, parameters);
  }

  private static String names(List<Limit> all) {
    return all.isEmpty() ? "none" : String.join(", ", all.stream().map(Limit::name).toList());
  }

  /**
   * Finds a mistake in the parameters of a key: an unknown field, or a missing or overlong value.
   */
  private static Optional<String> mistake(List<Field> fields, Map<String, String> parameters) {
    List<String> names = fields.stream().map(Field::toString).toList();
    String accepted = names.isEmpty() ? "nothing" : String.join(", ", names);
    List<String> unknown = new ArrayList<>(parameters.keySet());
    unknown.removeAll(names);
    unknown.remove(InstanceClient.LOCAL);
    if (!unknown.isEmpty())
      return Optional.of("unknown field; the limit counts by " + accepted + " only");
    for (String each : names) {
      String value = parameters.getOrDefault(each, "");
      if (value.isEmpty())
        return Optional.of(each + " is missing: the limit counts by " + accepted);
      if (value.length() > MOST_CHARS) {
        return Optional.of(each + " must have at most " + MOST_CHARS + " characters");
      }
    }
    return Optional.empty();
  }

  /**
   * Answers a query about a limit in Redis. Any instance can do so, but only the instance with the
   * key's partition knows which events of the key wait in line.
   */
  private Reply fromRedis(KeyQuery question, String path, Map<String, String> parameters) {
    boolean hasLine =
        question.limit().queues()
            && question.limit().key().fields().contains(config.limits().home());
    if (!hasLine) return fromRedis(question, UnaryOperator.identity());
    int partition = home.of(question.event());
    return fromOwner(partition, path, parameters)
        .orElseGet(() -> fromRedis(question, found -> stored.withLine(question, partition, found)));
  }

  private Reply fromRedis(KeyQuery question, UnaryOperator<KeyStatus> complete) {
    try {
      return Reply.of(answer(question, complete.apply(remote.about(question))));
    } catch (UnreadableKeyException e) {
      return Reply.problem(500, "Redis answers, but " + e.getMessage());
    } catch (LimiterUnavailableException e) {
      return Reply.problem(503, "Redis does not answer");
    }
  }

  private KeyAnswer answer(KeyQuery question, KeyStatus found) {
    String match = ConfigReport.words(config, question.limit()).get(0);
    return KeyAnswer.of(question, match, found, owners.own());
  }

  private Reply fromStore(KeyQuery question, String path, Map<String, String> parameters) {
    int partition = home.of(question.event());
    return fromOwner(partition, path, parameters)
        .or(() -> stored.about(question, partition).map(found -> Reply.of(answer(question, found))))
        .orElseGet(this::elsewhere);
  }

  /**
   * Asks the instance that has a partition; empty if it is this instance, if none answers, or if
   * another instance has asked this one.
   */
  private Optional<Reply> fromOwner(int partition, String path, Map<String, String> parameters) {
    boolean askedByPeer = parameters.containsKey(InstanceClient.LOCAL);
    return askedByPeer || owners.isActiveHere(partition)
        ? Optional.empty()
        : owners.ask(partition, path, parameters);
  }

  /**
   * Returns the error that no instance has answered about a key. Kafka Streams tells an instance
   * the addresses of others only if the instance advertises its own.
   */
  private Reply elsewhere() {
    return owners.own().isEmpty() && owners.areSettled()
        ? Reply.problem(
            421,
            "another instance has this key, and its address is unknown: set "
                + Keys.HTTP_ADVERTISED
                + " on each instance")
        : Reply.problem(
            503, "the instance with this key does not answer, or is not known yet; try again");
  }
}
