package io.sluice.rules.revision;

import static io.sluice.rules.revision.Given.at;
import static io.sluice.rules.revision.Given.limits;
import static io.sluice.rules.revision.Given.revision;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DigestTest {
  private static final String BY_A =
      "{'limit':'reply','for':{'userId':'a'},'set':{'quota':'1/1s'}}";

  @Test
  void isTheSameForWhatMeansTheSame() {
    assertThat(limits("sluice.limit.reply.quota=5/1m").digest(0))
        .isEqualTo(limits("sluice.limit.reply.algorithm=funnel").digest(0))
        .hasSize(32);
    assertThat(limits("sluice.limit.reply.match.action=a,b").digest(0))
        .isEqualTo(limits("sluice.limit.reply.match.action=b,a").digest(0));
    assertThat(limits("sluice.limit.reply.quota=5/day").digest(0))
        .isEqualTo(
            limits(
                    "sluice.limit.reply.quota=5/day",
                    "sluice.limit.reply.zone=Etc/UTC",
                    "sluice.limit.reply.algorithm=calendar-window")
                .digest(0));
    assertThat(limits("sluice.limit.reply.block=").digest(0)).isEqualTo(limits().digest(0));
    assertThat(limits("sluice.limit.reply.open=").digest(0)).isEqualTo(limits().digest(0));
    assertThat(limits("sluice.limit.reply.open=mon 08:00-12:00, mon 12:00-20:00").digest(0))
        .isEqualTo(
            limits("sluice.limit.reply.open=mon 08:00-20:00", "sluice.limit.reply.zone=Etc/UTC")
                .digest(0));
    assertThat(limits("sluice.limit.reply.quota=6/60s").digest(0))
        .as("in the file, or by a revision")
        .isEqualTo(
            limits()
                .with(revision("a", 1, "{'limit':'reply','set':{'quota':'6/60s'}}"))
                .digest(at(1)));
  }

  @Test
  void boundsOfAQueueCountOnlyWithAQueue() {
    String queue = "sluice.limit.reply.exceeded=queue";

    assertThat(limits("sluice.limit.reply.burst=3").digest(0))
        .as("digest of release 0.2")
        .isEqualTo("1c3af960177c309025c2f3027a9d94ab");
    assertThat(
            List.of(
                limits().digest(0),
                limits(queue).digest(0),
                limits(queue, "sluice.limit.reply.queue.max.wait=1h").digest(0),
                limits(queue, "sluice.limit.reply.queue.max.length=5").digest(0)))
        .doesNotHaveDuplicates();
    assertThat(limits(queue, "sluice.limit.reply.queue.max.wait=1d").digest(0))
        .isEqualTo(limits(queue).digest(0));
  }

  @Test
  void anOverrideLikeTheWholeLimitCountsInAnyOrderOfReading() {
    LimitRevision whole = revision("w", 1, "{'limit':'reply','set':{'quota':'1/1s'}}");
    LimitRevision before = revision("b", 0, 1, BY_A.replace("1/1s", "2/1s"));
    LimitRevision same = revision("s", 1, BY_A);
    LimitsInForce step = limits().with(whole).with(before);
    step.digest(at(1));

    assertThat(step.with(same).digest(at(1)))
        .isEqualTo(limits().with(List.of(whole, before, same)).digest(at(1)))
        .isNotEqualTo(step.digest(at(1)));
  }

  @Test
  void isAnotherForWhateverIsNot() {
    List<String> all =
        List.of(
            limits().digest(at(1)),
            limits("sluice.limit.reply.quota=6/60s").digest(at(1)),
            limits("sluice.limit.reply.block=10m").digest(at(1)),
            limits("sluice.limit.reply.quota=5/day").digest(at(1)),
            limits("sluice.limit.reply.quota=5/1d").digest(at(1)),
            limits("sluice.limit.reply.quota=5/day", "sluice.limit.reply.zone=Asia/Tokyo")
                .digest(at(1)),
            limits("sluice.limit.reply.block=20m").digest(at(1)),
            limits("sluice.limit.reply.open=mon 08:00-20:00").digest(at(1)),
            limits("sluice.limit.reply.open=mon 08:00-21:00").digest(at(1)),
            limits("sluice.limit.reply.open=mon 08:00-20:00", "sluice.limit.reply.zone=+02:00")
                .digest(at(1)),
            limits(
                    "sluice.limit.reply.open=mon 08:00-20:00",
                    "sluice.limit.reply.zone=attributes.zone,+02:00")
                .digest(at(1)),
            limits("sluice.limit.reply.match.action=a").digest(at(1)),
            limits("sluice.limits=dm,reply").digest(at(1)),
            limits().with(revision("a", 1, BY_A)).digest(at(1)),
            limits().with(revision("a", 1, BY_A.replace("'a'", "'b'"))).digest(at(1)),
            limits().with(revision("a", 1, BY_A.replace("1/1s", "2/1s"))).digest(at(1)),
            limits()
                .with(revision("a", 1, BY_A.replace("'quota':'1/1s'", "'block':''")))
                .digest(at(1)),
            limits()
                .with(
                    revision(
                        "a", 1, "{'limit':'*','for':{'userId':'a'},'set':{'verdict':'allow'}}"))
                .digest(at(1)));

    assertThat(all).doesNotHaveDuplicates();
    assertThat(limits().with(revision("a", 1, 2, BY_A)).digest(at(2))).isEqualTo(all.get(0));
    assertThat(limits().with(revision("a", 1, BY_A)).digest(at(0))).isEqualTo(all.get(0));
  }
}
