/**
 * A running instance of Sluice, with its HTTP API and web page. Start at {@link
 * io.sluice.server.Sluice}. Its packages, the lowest first: {@code web}, {@code change} and {@code
 * ask}. Each package calls only packages below it.
 */
package io.sluice.server;
