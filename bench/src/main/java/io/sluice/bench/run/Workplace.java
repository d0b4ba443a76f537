package io.sluice.bench.run;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Environment of one run of an application: its application id, addresses and topics.
 *
 * @param further settings that take precedence over all others
 */
public record Workplace(
    Laboratory laboratory,
    String applicationId,
    String input,
    Path stateFolder,
    Map<String, String> further) {

  /**
   * Returns the environment of a start of an application that is started several times.
   *
   * @param start name of this start; each start has its own folder, so that it begins without local
   *     state
   */
  public static Workplace of(Laboratory laboratory, String id, String input, String start)
      throws IOException {
    Path folder = laboratory.createFolder(id + "-" + start);
    return new Workplace(laboratory, id, input, folder, laboratory.settings());
  }

  public static Workplace of(Laboratory laboratory, String id, String input) throws IOException {
    return of(laboratory, id, input, "state");
  }

  public String bootstrapServers() {
    return laboratory.bootstrapServers();
  }

  public String redisUri() {
    return laboratory.redis().uri(false);
  }

  public String allowed() {
    return applicationId + "-allowed";
  }

  /** Returns a copy with another setting that takes precedence over all others. */
  public Workplace with(String key, String value) {
    Map<String, String> more = new HashMap<>(further);
    more.put(key, value);
    return new Workplace(laboratory, applicationId, input, stateFolder, more);
  }

  public String rejected() {
    return applicationId + "-rejected";
  }

  /** Creates the topics of allowed and rejected events. */
  public void createOutputs() throws ExecutionException, InterruptedException {
    laboratory.createTopic(allowed(), Outputs.STAMPED_BY_BROKER);
    laboratory.createTopic(rejected(), Outputs.STAMPED_BY_BROKER);
  }

  /** Creates the topic of revisions, which is compacted and has one partition; returns its name. */
  public String createRevisions() throws ExecutionException, InterruptedException {
    NewTopic topic =
        new NewTopic(applicationId + "-limits", 1, (short) 1)
            .configs(Map.of("cleanup.policy", "compact"));
    laboratory.admin().createTopics(List.of(topic)).all().get();
    return topic.name();
  }

  public void deleteFolder() throws IOException {
    MoreFiles.deleteRecursively(stateFolder, RecursiveDeleteOption.ALLOW_INSECURE);
  }

  /**
   * Returns the settings that all measured applications share, in the form of Sluice's
   * configuration.
   */
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers());
    settings.put("application.id", applicationId);
    settings.put("commit.interval.ms", "100");
    settings.put("auto.offset.reset", "earliest");
    settings.put("state.dir", stateFolder.toString());
    settings.put("main.consumer.interceptor.classes", FirstPoll.class.getName());
    settings.put("sluice.topics.input", input);
    settings.put("sluice.topics.allowed", allowed());
    settings.put("sluice.topics.rejected", rejected());
    settings.put("sluice.topics.delayed", applicationId + "-delayed");
    settings.put("sluice.topics.dead-letter", applicationId + "-dead-letter");
    settings.put("sluice.topics.partitions", Integer.toString(Workload.PARTITIONS));
    settings.put("sluice.redis.uri", redisUri());
    settings.put("sluice.redis.timeout", "1s");
    settings.put("sluice.redis.key.prefix", applicationId);
    settings.putAll(further);
    return settings;
  }
}
