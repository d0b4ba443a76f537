package io.sluice.streams;

import io.sluice.testing.PublicApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the module's public API with its checked-in list. */
class PublicApiTest {
  @Test
  void itOffersWhatItsListSays() throws Exception {
    PublicApi.assertIsListed(Path.of(""), PublicApi.openTypes("io.sluice.streams"));
  }
}
