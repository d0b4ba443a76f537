/** Code that several commands share: embedded servers, folders, tables, failures in one line. */
package io.sluice.cli.common;
