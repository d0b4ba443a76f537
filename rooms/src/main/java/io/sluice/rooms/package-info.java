/**
 * What the tests of all modules need to hold their packages, called rooms, to an order: who may
 * call whom, and how many classes call each other in a circle. No test is here: each module has its
 * own {@code RoomsTest}.
 */
package io.sluice.rooms;
