/**
 * Reader of settings, shared by streams and by programs that call limiters: formats of single
 * settings, and the settings that apply to all limits of a program.
 */
package io.sluice.limiter.config;
