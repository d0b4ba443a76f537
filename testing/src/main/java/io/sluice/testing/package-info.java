/**
 * Fixtures shared by the tests of all modules: a real broker and Redis ({@link
 * io.sluice.testing.Servers}), events and outputs ({@link io.sluice.testing.Load}, {@link
 * io.sluice.testing.Outputs}), and the stored data of each release ({@link
 * io.sluice.testing.StoredFile}). Rules for the dependencies between packages, called rooms ({@link
 * io.sluice.testing.Arrows}, {@link io.sluice.testing.Circles}) and the comparison of public types
 * with their list ({@link io.sluice.testing.PublicApi}). The size and seeds of random tests ({@link
 * io.sluice.testing.TestScale}), and captured logs ({@link io.sluice.testing.LogLines}).
 */
package io.sluice.testing;
