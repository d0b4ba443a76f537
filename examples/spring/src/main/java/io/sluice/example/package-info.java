/** Example application with limited methods. Start at {@link io.sluice.example.Comments}. */
package io.sluice.example;
