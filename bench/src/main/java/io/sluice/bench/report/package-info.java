/**
 * Tables, pictures and files for all measurements. Start at {@link
 * io.sluice.bench.report.MarkdownTable}. The package depends on no other package.
 */
package io.sluice.bench.report;
