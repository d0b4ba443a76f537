package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleConfigTest {
  @Test
  void theExampleIsSoundAndDoesWhatItsCommentsSay() throws URISyntaxException {
    URL example = SluiceConfig.class.getResource("/io/sluice/topology/example.properties");
    SluiceConfig config = SluiceConfig.load(Path.of(example.toURI()));

    assertThat(ConfigReport.warnings(config)).isEmpty();
    assertThat(ConfigReport.summary(config))
        .isEqualTo(
            """
            application     sluice on localhost:9092, exactly_once_v2
            reads           user-actions
            allowed         to allowed-actions
            rejected        to rejected-actions
            delayed         to delayed-actions
            not an event    to dead-letter-actions
            missing topics  created, with 6 partitions and the broker's default number of replicas
            live limits     revisions from sluice-limits
            unmatched       allowed
            time            event time, up to 2 min late; an event more than 60 s ahead is a dead letter
            sizes           events up to 16 MiB (more if the input topics accept more), if their topics accept them uncompressed; a larger event is a dead letter
            state store     in memory, with a changelog; events are metered on the partition of their userId
            redis           redis://localhost:6379; keys begin with sluice; timeout 50 ms

            reply  action=reply                                       at most 5 in any 60 s per userId   sliding-window-log on redis            if exceeded: reject  if Redis is down: wait
            post   action=post                                        30 in 60 s, burst 15, per userId   funnel on the state store              if exceeded: reject
            page   action=blog,presentations,projects,articles,files  at most 10 in any 60 s per userId  sliding-window-log on the state store  if exceeded: reject
            """);
  }
}
