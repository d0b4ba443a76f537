package io.sluice.spring;

import io.sluice.testing.PublicApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the starter's public API with its checked-in list. */
@Tag("slow") // reads the classes of all libraries
class PublicApiTest {
  @Test
  void theStarterOffersWhatItsListSays() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (String each : RoomsTest.FOR_USERS) types.add(Class.forName("io.sluice.spring." + each));
    PublicApi.assertIsListed(Path.of(""), types);
  }
}
