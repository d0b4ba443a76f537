/**
 * Reports at the end of a build: {@link io.sluice.report.TestReport} on the time of the tests, and
 * {@link io.sluice.report.CodeMeasures} on the size and the language of the code.
 */
package io.sluice.report;
