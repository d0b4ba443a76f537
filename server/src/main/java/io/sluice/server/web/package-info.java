/**
 * HTTP server and its access control. Start at {@link io.sluice.server.web.WebServer}, then {@link
 * io.sluice.server.web.Route}, which other packages implement to answer requests. This package
 * calls {@code metrics}, {@code config} and the packages below them.
 */
package io.sluice.server.web;
