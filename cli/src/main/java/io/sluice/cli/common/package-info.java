/** What several commands need: servers of their own, folders, tables, a failure in one line. */
package io.sluice.cli.common;
