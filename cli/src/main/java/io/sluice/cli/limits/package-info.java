/**
 * Commands that show and change limits while instances run. Start at {@link
 * io.sluice.cli.limits.LimitsCommand}: each command requests one of {@code RequestedChanges}, and
 * prints the result.
 */
package io.sluice.cli.limits;
