package io.sluice.server;

import io.sluice.testing.PublicApi;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the types for users with the checked-in list. */
class PublicApiTest {
  @Test
  void theServerOffersWhatItsListSays() throws Exception {
    PublicApi.assertIsListed(Path.of(""), List.of(Sluice.class));
  }
}
