package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static io.sluice.topology.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the limits that a Redis Cluster can charge together. */
class ClusterLimitsTest {
  private static final String CLUSTER = "redis://a,redis://b";

  /** Settings of two limits on Redis, and further lines. */
  private static String[] limits(String uri, String... lines) {
    Stream<String> both =
        Stream.of(
            "sluice.limits=reply,page",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.page.quota=1/1s",
            "sluice.limit.page.backend=redis",
            "sluice.redis.uri=" + uri);
    return Stream.concat(both, Arrays.stream(lines)).toArray(String[]::new);
  }

  private static String[] keys(String uri, String reply, String page, String... lines) {
    Stream<String> keys =
        Stream.of("sluice.limit.reply.key=" + reply, "sluice.limit.page.key=" + page);
    return limits(uri, Stream.concat(keys, Arrays.stream(lines)).toArray(String[]::new));
  }

  @Test
  void limitsThatCountInDifferentPlacesAreNotForOneEvent() {
    assertThat(mistakes(keys(CLUSTER, "userId", "target")))
        .containsExactly(
            "sluice.limit.page.key=target: on a Redis Cluster the limits of an event must count in"
                + " one place, and an event may match this and reply (userId); give all of them"
                + " keys with userId, or the same key, or matches that exclude each other");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {"target action", "target,action action,target", "target target,action"})
  void soAreOtherKeysThatAreNotTheSame(String reply, String page) {
    assertThat(mistakes(keys(CLUSTER, reply, page)))
        .singleElement()
        .asString()
        .startsWith("sluice.limit.page.key=" + page + ": on a Redis Cluster ");
    assertThat(mistakes(keys(CLUSTER, reply, ""))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "userId userId",
        "userId userId,target",
        "action,userId userId,target",
        "target target",
        "target,action target,action",
      })
  void limitsThatShareATagAreForOneEvent(String reply, String page) {
    assertThat(config(keys(CLUSTER, reply, page)).limits().all()).hasSize(2);
  }

  @Test
  void noEventMeetsBothIfTheirMatchesExcludeEachOther() {
    String reply = "sluice.limit.reply.match.action=reply,post";
    assertThat(
            config(keys(CLUSTER, "userId", "target", reply, "sluice.limit.page.match.action=page"))
                .limits()
                .all())
        .hasSize(2);
    assertThat(
            mistakes(
                keys(
                    CLUSTER,
                    "userId",
                    "target",
                    reply,
                    "sluice.limit.page.match.action=page,post")))
        .hasSize(1);
    assertThat(
            mistakes(keys(CLUSTER, "userId", "target", reply, "sluice.limit.page.match.target=x")))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://a", "redis-sentinel://a,b?master=m"})
  void oneServerHasAllInOnePlace(String uri) {
    assertThat(config(keys(uri, "userId", "target")).limits().all()).hasSize(2);
  }

  @Test
  void whatCountsInTheStateStoreIsNoneOfTheClustersConcern() {
    assertThat(
            config(
                    limits(
                        CLUSTER,
                        "sluice.limit.page.key=target",
                        "sluice.limit.reply.backend=state-store"))
                .limits()
                .all())
        .hasSize(2);
  }
}
