package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Path;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** Sources of the {@code redis-server} program. */
enum RedisBinary {
  /** The program on the PATH, or the bundled one if there is none. */
  INSTALLED {
    @Override
    Path find(Path folder) {
      return SearchPath.find("redis-server").orElseGet(() -> BUNDLED.find(folder));
    }
  },

  /** The program in embedded-redis for this kind of machine, extracted into the folder. */
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
