/**
 * Code shared by the tests of all modules: rules for the dependencies between packages, called
 * rooms ({@link io.sluice.rooms.Arrows}, {@link io.sluice.rooms.Circles}), the comparison of public
 * types with their list ({@link io.sluice.rooms.PublicApi}), the size and seeds of random tests
 * ({@link io.sluice.rooms.TestScale}), and captured logs ({@link io.sluice.rooms.LogLines}). The
 * tests are in each module's {@code RoomsTest}.
 */
package io.sluice.rooms;
