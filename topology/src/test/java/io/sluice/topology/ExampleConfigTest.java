package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleConfigTest {
  @Test
  void theExampleIsSoundAndDoesWhatItsCommentsSay() throws URISyntaxException {
    URL example = SluiceConfig.class.getResource("example.properties");
    SluiceConfig config = SluiceConfig.load(Path.of(example.toURI()));

    assertThat(config.warnings()).isEmpty();
    assertThat(config.explain())
        .isEqualTo(
            """
            application     sluice on localhost:9092, exactly_once_v2
            reads           user-actions
            allowed         to allowed-actions
            rejected        to rejected-actions
            delayed         to delayed-actions
            not an event    to dead-letter-actions
            missing topics  created, with 6 partitions and the broker's number of replicas
            unmatched       allowed
            time            of the events, up to 2 min late; an event more than 60 s ahead is a dead letter
            sizes           an event of 16 MiB at least, if its topics take it uncompressed; a larger one is a dead letter
            state store     in memory, with a changelog; events are metered on the partition of their userId
            redis           redis://localhost:6379; keys begin with sluice; away after 50 ms

            reply  action=reply                                       at most 5 in any 60 s per userId    sliding-window-log on redis            over it: rejected  redis away: events wait
            post   action=post                                        30 in 60 s, 15 at once, per userId  funnel on the state store              over it: rejected
            page   action=blog,presentations,projects,articles,files  at most 10 in any 60 s per userId   sliding-window-log on the state store  over it: rejected
            """);
  }
}
