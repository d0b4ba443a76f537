/** The commands about limits that change. */
package io.sluice.cli.limits;
