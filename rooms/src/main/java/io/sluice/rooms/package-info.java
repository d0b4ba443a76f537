/**
 * Shared by the tests of all modules: the order of their packages, called rooms (which may call
 * which, and how many classes call each other in a circle), and the size and seeds of random tests
 * ({@link io.sluice.rooms.TestScale}). No test is here: each module has its own {@code RoomsTest}.
 */
package io.sluice.rooms;
