package io.sluice.streams;

import io.sluice.topology.PublicApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the module offers to programs is what its list says. */
class PublicApiTest {
  @Test
  void itOffersWhatItsListSays() throws Exception {
    PublicApi.assertIsListed(Path.of(""), PublicApi.openTypes("io.sluice.streams"));
  }
}
