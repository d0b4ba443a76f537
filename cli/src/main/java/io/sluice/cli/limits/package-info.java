/**
 * The commands that show and change limits while instances run. Start at {@link
 * io.sluice.cli.limits.LimitsCommand}: each command asks for one of {@code Changes}, and prints
 * what it is told.
 */
package io.sluice.cli.limits;
