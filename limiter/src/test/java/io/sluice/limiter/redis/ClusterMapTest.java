package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** Tests when the map is read, with a node that has all slots and can be silent. */
@Tag("slow") // waits until a slow reading of the slots may be repeated
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ClusterMapTest {
  /** Long, so that delays of the machine stay below it. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean silent;
  private ServerSocket node;
  private HostAndPort address;
  private ClusterMap map;

  @BeforeEach
  void start() throws IOException {
    node = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    address = new HostAndPort("127.0.0.1", node.getLocalPort());
    inBackground(this::accept);
    map = newMap();
    assertThat(map.ownerOf(0)).isEqualTo(address);
  }

  private ClusterMap newMap() {
    String uri = "redis://" + address;
    RedisSettings settings = RedisSettings.of(uri + "," + uri).withTimeout(TIMEOUT);
    RedisAddress parsed = RedisAddress.parse(settings.uri());
    return new ClusterMap((RedisAddress.Cluster) parsed, new JedisConfig(settings, () -> {}));
  }

  @AfterEach
  void stop() throws IOException {
    map.close();
    node.close();
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void inBackground(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // ends: the other side has closed
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = node.accept();
      opened.incrementAndGet();
      inBackground(() -> answer(client));
    }
  }

  private void answer(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int words = Integer.parseInt(line.substring(1));
      in.readLine(); // length of the command
      String command = in.readLine();
      for (int i = 1; i < words; i++) {
        in.readLine();
        in.readLine();
      }
      if (!silent) client.getOutputStream().write(answer(command).getBytes(US_ASCII));
    }
  }

  private String answer(String command) {
    if (command.equals("HELLO")) return "*2\r\n$5\r\nproto\r\n:2\r\n";
    if (!command.equals("CLUSTER")) return "+OK\r\n";
    String host = "*2\r\n$9\r\n127.0.0.1\r\n:" + node.getLocalPort() + "\r\n";
    return "*1\r\n*3\r\n:0\r\n:16383\r\n" + host;
  }

  /** Returns how many connections it takes to find an owner that may have changed. */
  private int readAnew() {
    int before = opened.get();
    map.mayHaveChanged(address);
    assertThat(map.ownerOf(0)).isEqualTo(address);
    return opened.get() - before;
  }

  @Test
  void readingThatTookLongIsNotRepeatedForAsLong() {
    await().until(() -> readAnew() > 0);
    silent = true;
    await().until(() -> readAnew() > 0);
    silent = false;
    for (int i = 0; i < 10; i++) assertThat(readAnew()).isZero();
    await().until(() -> readAnew() > 0);
  }

  @Test
  void theFirstReadingIsNotRepeatedForAsLongIfItFailed() {
    silent = true;
    try (ClusterMap another = newMap()) {
      assertThatThrownBy(() -> another.ownerOf(0)).isInstanceOf(JedisException.class);
      int before = opened.get();
      silent = false;
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> another.ownerOf(0)).isInstanceOf(JedisException.class);
      }
      assertThat(opened.get()).isEqualTo(before);
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(another.ownerOf(0)).isEqualTo(address));
    }
  }
}
