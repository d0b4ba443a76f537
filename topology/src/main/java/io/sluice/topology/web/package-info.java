/**
 * What is served over HTTP, and to whom. Start at {@link io.sluice.topology.web.WebServer}, then
 * {@link io.sluice.topology.web.Route}, by which other rooms answer requests. It calls {@code
 * metrics}, {@code config} and the rooms below.
 */
package io.sluice.topology.web;
