package io.sluice.topology;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the modules offer to programs is what their lists say. */
class PublicApiTest {
  /** All that is public in them is meant for users. */
  @ParameterizedTest
  @ValueSource(strings = {"schemas", "limiter", "embedded"})
  void aModuleOffersWhatItsListSays(String module) throws Exception {
    PublicApi.assertIsListed(Path.of("..", module), PublicApi.openTypes("io.sluice." + module));
  }

  /** Its rooms call each other; that is nobody else's business. */
  @Test
  void theTopologyOffersWhatItsListSays() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (String each : RoomsTest.FOR_USERS) types.add(Class.forName("io.sluice.topology." + each));
    PublicApi.assertIsListed(Path.of(""), types);
  }
}
