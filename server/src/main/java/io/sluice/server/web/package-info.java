/**
 * HTTP server and its access control. Start at {@link io.sluice.server.web.WebServer}, then {@link
 * io.sluice.server.web.Route}, which other packages implement to answer requests. This package
 * calls the metrics and settings of the modules topology and runtime.
 */
package io.sluice.server.web;
