package io.sluice.topology;

/**
 * The processing of events, which can be paused. Polling and membership in the group continue
 * meanwhile.
 */
interface Consumption {
  /** Without anything that could be paused. */
  Consumption UNSTOPPABLE =
      new Consumption() {
        @Override
        public void pause() {}

        @Override
        public void resume() {}
      };

  void pause();

  void resume();
}
