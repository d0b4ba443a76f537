package io.sluice.topology;

import io.sluice.testing.PublicApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the public API of each module is as listed. */
class PublicApiTest {
  /** In these modules all public types are meant for users. */
  @ParameterizedTest
  @ValueSource(strings = {"schemas", "limiter", "embedded"})
  void aModuleOffersWhatItsListSays(String module) throws Exception {
    PublicApi.assertIsListed(Path.of("..", module), PublicApi.openTypes("io.sluice." + module));
  }

  /** In this module only some public types are; the others are for its own packages. */
  @Test
  void theTopologyOffersWhatItsListSays() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (String each : RoomsTest.FOR_USERS) types.add(Class.forName("io.sluice.topology." + each));
    PublicApi.assertIsListed(Path.of(""), types);
  }
}
