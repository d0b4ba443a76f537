/**
 * Code shared by the tests of all modules: rules for the dependencies between packages, called
 * rooms ({@link io.sluice.rooms.Arrows}, {@link io.sluice.rooms.Circles}), and the size and seeds
 * of random tests ({@link io.sluice.rooms.TestScale}). The tests are in each module's {@code
 * RoomsTest}.
 */
package io.sluice.rooms;
