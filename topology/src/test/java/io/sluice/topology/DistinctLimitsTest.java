package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of limits that count distinct values instead of events. */
class DistinctLimitsTest {
  private Harness harness = with();

  /** A user may write to at most two different people a minute. */
  private static Harness with(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.limits=people",
                "sluice.limit.people.match.action=write",
                "sluice.limit.people.distinct=target",
                "sluice.limit.people.algorithm=sliding-window-log",
                "sluice.limit.people.quota=2/60s"));
    settings.addAll(List.of(more));
    return new Harness(settings.toArray(String[]::new));
  }

  private void restartWith(String... more) {
    harness.close();
    harness = with(more);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void write(long afterNoonMs, String target, String... fields) {
    List<String> all = new ArrayList<>(List.of(fields));
    if (!target.isEmpty()) all.add("\"target\":\"" + target + "\"");
    harness.send("ada", "write", afterNoonMs, all.toArray(String[]::new));
  }

  @Test
  void manyEventsForFewPeopleAreAllowed() {
    for (int i = 0; i < 20; i++) write(i, i % 2 == 0 ? "bob" : "eve");
    write(20, "dan");
    write(59_999, "bob");
    write(60_000, "dan");

    assertThat(harness.allowed()).hasSize(22);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("59980");
  }

  @Test
  void aMissingFieldMayBeTheEmptyValue() {
    restartWith("sluice.limit.people.key.missing=share");
    write(0, "");
    write(0, "");
    write(0, "bob");
    write(0, "eve");

    assertThat(harness.allowed()).hasSize(3);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void byDefaultEventsWithoutTheFieldAreNotLimited() {
    for (int i = 0; i < 5; i++) write(0, "");
    for (String target : List.of("bob", "eve", "dan")) write(0, target);

    assertThat(harness.allowed()).hasSize(7);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void severalFieldsAreCountedTogether() {
    restartWith(
        "sluice.limit.people.distinct=target,attributes.card",
        "sluice.limit.people.key.missing=share");
    write(0, "bob", "\"attributes\":{\"card\":\"1\"}");
    write(0, "bob", "\"attributes\":{\"card\":\"2\"}");
    write(0, "bob1", "\"attributes\":{\"card\":\"\"}");
    write(0, "bob", "\"attributes\":{\"card\":\"1\"}");

    assertThat(harness.allowed()).hasSize(3);
    assertThat(harness.rejected()).hasSize(1);
  }

  private void mail(long afterNoonMs, String recipients) {
    harness.send("ada", "write", afterNoonMs, "\"to\":" + recipients);
  }

  private void restartWithLists(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "sluice.event.attribute.to=to[] | lower",
                "sluice.limit.people.distinct=attributes.to"));
    all.addAll(List.of(more));
    restartWith(all.toArray(String[]::new));
  }

  @Test
  void eachElementOfAListIsCountedAllOrNone() {
    restartWithLists();
    mail(0, "[\"bob\",\"Bob\"]");
    mail(1, "[\"bob\",\"eve\",\"dan\"]");
    mail(2, "[\"bob\",\"joe\"]");
    mail(3, "[\"eve\"]");
    mail(4, "[\"joe\",\"bob\"]");
    mail(59_999, "[\"eve\",\"joe\"]");

    assertThat(harness.allowed()).hasSize(3);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-reason") + out.header("sluice-retry-after-ms"))
        .containsExactly("oversized", "over-limit59997", "over-limit1");
  }

  @Test
  void aListWithoutValuesIsAMissingField() {
    restartWithLists("sluice.limit.people.key.missing=reject");
    mail(0, "[]");
    mail(0, "[null,\"\"]");
    mail(0, "\"bob\"");
    mail(0, "[\"bob\",null]");

    assertThat(harness.allowed()).hasSize(1);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-reason"))
        .containsExactly("missing-key", "missing-key", "missing-key");
  }

  @Test
  void listsWithoutValuesMayShareOneValue() {
    restartWithLists("sluice.limit.people.key.missing=share");
    mail(0, "[]");
    mail(0, "[]");
    mail(0, "[\"bob\"]");
    mail(0, "[\"eve\"]");

    assertThat(harness.allowed()).hasSize(3);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void elementsAreCountedWithTheOtherFields() {
    restartWithLists("sluice.limit.people.distinct=action,attributes.to");
    mail(0, "[\"bob\",\"eve\"]");
    mail(1, "[\"bob\"]");
    mail(2, "[\"dan\"]");

    assertThat(harness.allowed()).hasSize(2);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void aSketchCountsElementsToo() {
    restartWithLists("sluice.limit.people.algorithm=hyperloglog");
    mail(0, "[\"bob\"]");
    mail(1, "[\"bob\",\"eve\"]");
    mail(2, "[\"bob\"]");

    assertThat(harness.allowed()).hasSize(2);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void otherPermitsHoldAtOnceAndWhatIsThereStays() {
    write(0, "bob");
    write(0, "eve");
    harness.revise("more", 1, "'limit':'people','set':{'quota':'3/60s'}");
    write(1, "dan");
    write(1, "joe");
    harness.revise("less", 2, "'limit':'people','set':{'quota':'1/60s'}");
    write(2, "bob");
    write(2, "joe");

    assertThat(harness.allowed()).hasSize(4);
    assertThat(harness.rejected()).hasSize(2);
  }

  @Test
  void aHyperloglogRefusesAllAtItsQuotaUntilTheNextSixth() {
    restartWith("sluice.limit.people.algorithm=hyperloglog");
    write(0, "bob");
    write(0, "bob");
    write(0, "eve");
    write(1, "bob");
    write(59_999, "dan");

    assertThat(harness.allowed()).hasSize(3);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("9999", "1");
  }

  @Test
  void fromOneToTheOtherBeginsAnew() {
    write(0, "bob");
    write(0, "eve");
    String sketch = "{'algorithm':'hyperloglog','quota':'5000/60s'}";
    harness.revise("many", 1, "'limit':'people','set':" + sketch);
    for (int i = 0; i < 2_000; i++) write(1, "user-" + i);
    harness.revise("few", 2, "'limit':'people','set':{'algorithm':null,'quota':null}");
    write(2, "dan");
    write(2, "joe");
    write(2, "eve");

    assertThat(harness.allowed()).hasSize(2_004);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void whoGoesOverItIsBlockedAlsoForValuesThatAreThere() {
    restartWith("sluice.limit.people.block=10m");
    write(0, "bob");
    write(0, "eve");
    write(0, "dan");
    write(1, "bob");

    assertThat(harness.allowed()).hasSize(2);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-reason"))
        .containsExactly("over-limit", "blocked");
  }
}
