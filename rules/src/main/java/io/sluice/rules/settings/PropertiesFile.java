package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** Contents of a properties file in UTF-8, in the file's order, with the keys that occur twice. */
public record PropertiesFile(Map<String, String> texts, Set<String> repeatedKeys) {

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if the file does not exist, cannot be read or is no properties
   *     file
   */
  public static PropertiesFile read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw bad(file, "no such file");
    } catch (CharacterCodingException e) {
      throw bad(file, "not UTF-8");
    } catch (IOException | SecurityException e) {
      throw bad(file, "cannot be read: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw bad(file, e.getMessage());
    }
  }

  /**
   * Adds a mistake for each key of Sluice that occurs twice, since the intended value is unknown.
   */
  void reportRepeated(ConfigErrors mistakes) {
    repeatedKeys.stream()
        .filter(Keys::isOwn)
        .forEach(key -> mistakes.add(key, "given more than once"));
  }

  private static PropertiesFile parse(String content) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    Set<String> repeated = new LinkedHashSet<>();
    // java.util.Properties loses the order of the keys and, of equal keys, all values except the
    // last.
    new Properties() {
      private static final long serialVersionUID = 1;

      @Override
      public synchronized Object put(Object key, Object text) {
        if (texts.put((String) key, (String) text) != null) repeated.add((String) key);
        return super.put(key, text);
      }
    }.load(new StringReader(content.startsWith("\uFEFF") ? content.substring(1) : content));
    return new PropertiesFile(texts, repeated);
  }

  private static ConfigurationException bad(Path file, String problem) {
    return new ConfigurationException(List.of(file + ": " + problem));
  }
}
