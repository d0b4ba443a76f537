package io.sluice.topology;

/** The meter's node with all that it needs, for tests that have no need to choose. */
final class Meters {
  private Meters() {}

  static MeterProcessor.Node node(
      SluiceConfig config,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      DelayPath path,
      DeadLetters deadLetters) {
    return new MeterProcessor.Node(
        config.limits(),
        Arrivals.of(config),
        opener,
        breaker,
        new Sequences(config.applicationId()),
        instruments,
        path,
        deadLetters,
        config.keepsStateInMemory(),
        new ThreadShare.Threads());
  }
}
