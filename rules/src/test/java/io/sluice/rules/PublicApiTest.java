package io.sluice.rules;

import io.sluice.rooms.PublicApi;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.ConfigurationException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the types for users with the checked-in list. */
class PublicApiTest {
  @Test
  void theModuleOffersWhatItsListSays() throws Exception {
    PublicApi.assertIsListed(
        Path.of(""), List.of(Keys.class, ConfigurationException.class, StartException.class));
  }
}
