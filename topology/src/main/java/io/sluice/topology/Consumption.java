package io.sluice.topology;

/**
 * Whether events are processed. Polling goes on either way, and so does membership in the group.
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
