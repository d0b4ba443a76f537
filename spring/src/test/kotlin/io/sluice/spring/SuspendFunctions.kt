package io.sluice.spring

import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.core.annotation.Order
import org.springframework.kafka.annotation.KafkaListener
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.WebFilter
import reactor.core.publisher.Mono

/** Application whose limited methods are suspend functions. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SuspendFunctions.Api::class, SuspendFunctions.Mailer::class)
open class SuspendFunctions {
  @Bean
  @Order(0)
  open fun login() = WebFilter { exchange, chain ->
    val name = exchange.request.headers.getFirst("X-User")
    val known =
      if (name == null) exchange
      else exchange.mutate().principal(Mono.just(java.security.Principal { name })).build()
    chain.filter(known)
  }

  @RestController
  open class Api(private val mailer: Mailer) {
    @RateLimit(period = 30, threshold = 2)
    @GetMapping("/hi")
    open suspend fun hi(): String {
      delay(1)
      return "hi"
    }

    @RateLimit(quota = "10/60s", algorithm = "sliding-window-log")
    @GetMapping("/crowd")
    open suspend fun crowd(): String {
      delay(1)
      return "in"
    }

    @RateLimit(quota = "1/60s", algorithm = "sliding-window-log")
    @GetMapping("/once")
    open suspend fun once(): String = "once"

    @RateLimit(quota = "1/60s")
    @GetMapping("/ping")
    open suspend fun ping() {
      delay(1)
    }

    @GetMapping("/mail")
    open suspend fun mail(@RequestParam to: String, @RequestParam parts: Long): String =
      try {
        mailer.send(to, parts)
      } catch (e: RateLimitExceededException) {
        "refused"
      }
  }

  open class Mailer {
    @RateLimit(quota = "2/60s", key = "#to", cost = "#parts")
    open suspend fun send(to: String, parts: Long): String {
      delay(1)
      return "sent to $to"
    }
  }
}

/** Application with suspend functions that cannot be limited. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(WrongSuspendFunctions.Wrong::class)
open class WrongSuspendFunctions {
  open class Wrong {
    @RateLimit(quota = "1/60s", fallback = "less")
    open suspend fun more(): String = "all"

    open suspend fun less(): String = "a little"

    @RateLimit(quota = "1/60s")
    open suspend fun all(): Flow<String> = flowOf("a", "b")

    @KafkaListener(topics = ["orders"])
    @RateLimit(quota = "1/60s")
    open suspend fun ship(order: String) {
      delay(1)
    }

    @RateLimit(quota = "1/60s", key = "#topic")
    open suspend fun read(subject: String): String = subject
  }
}
