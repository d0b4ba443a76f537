package io.sluice.events;

import io.sluice.testing.PublicApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the module's public types with the checked-in list. */
class PublicApiTest {
  @Test
  void theModuleOffersWhatItsListSays() throws Exception {
    PublicApi.assertIsListed(Path.of(""), PublicApi.openTypes("io.sluice.events"));
  }
}
