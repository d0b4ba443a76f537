package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Path;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** Sources of the {@code redis-server} program. */
enum RedisBinary {
  /** The {@code redis-server} on the PATH, or the bundled one if the PATH has none. */
  INSTALLED {
    @Override
    Path find(Path folder) {
      return SearchPath.find("redis-server").orElseGet(() -> BUNDLED.find(folder));
    }
  },

  /**
   * The {@code redis-server} in the library embedded-redis for this kind of machine, extracted into
   * a folder.
   */
  BUNDLED {
    @Override
    Path find(Path folder) {
      try {
        if (!isBundled()) throw new IOException("none is bundled for this kind of machine");
        return ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
      } catch (IOException | RuntimeException e) {
        throw new EmbeddedStartException(
            "there is no redis-server to run: " + EmbeddedStartException.innermost(e), e);
      }
    }
  };

  abstract Path find(Path folder);

  private static boolean isBundled() {
    return ExecutableProvider.newProvidedVersionsMap()
        .containsKey(OsArchitecture.detectOSandArchitecture());
  }
}
