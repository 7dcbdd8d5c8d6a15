import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Lets the network's own library judge signatures. Argument: the folder with its jars. Input, a line each: {@code ledger}, its
 * history key, and for each node its key, weight and id; or {@code verify}, id of the ledger, signature, message. Output, for
 * each {@code verify}: true, false, or what it throws. Bytes are hexadecimal.
 */
public class NetworkLibrary {
  private static final String PACKAGE = "com.hedera.cryptography.";
  private static final HexFormat HEX = HexFormat.of();

  public static void main(String[] arguments) throws Exception {
    var loader = new Loader(jarsOf(Path.of(arguments[0])));
    var tss = loader.loadClass(PACKAGE + "tss.TSS");
    var historyKey = loader.loadClass(PACKAGE + "wraps.WRAPSVerificationKey");
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var words = line.split(" ");
      if (words[0].equals("ledger")) {
        historyKey.getMethod("setCurrentKey", byte[].class).invoke(null, (Object) HEX.parseHex(words[1]));
        setNodes(tss, words);
      } else {
        System.out.println(verify(tss, words));
      }
    }
  }

  private static void setNodes(Class<?> tss, String[] words) throws Exception {
    var count = (words.length - 2) / 3;
    var keys = new byte[count][];
    var weights = new long[count];
    var ids = new long[count];
    for (var node = 0; node < count; node++) {
      keys[node] = HEX.parseHex(words[2 + 3 * node]);
      weights[node] = Long.parseUnsignedLong(words[3 + 3 * node]);
      ids[node] = Long.parseUnsignedLong(words[4 + 3 * node]);
    }
    tss.getMethod("setAddressBook", byte[][].class, long[].class, long[].class).invoke(null, keys, weights, ids);
  }

  private static String verify(Class<?> tss, String[] words) throws Exception {
    try {
      var method = tss.getMethod("verifyTSS", byte[].class, byte[].class, byte[].class);
      return String.valueOf(method.invoke(null, HEX.parseHex(words[1]), HEX.parseHex(words[2]), HEX.parseHex(words[3])));
    } catch (InvocationTargetException thrown) {
      return "throws " + thrown.getCause();
    }
  }

  private static URL[] jarsOf(Path folder) throws IOException {
    List<URL> jars = new ArrayList<>();
    try (var files = Files.newDirectoryStream(folder, "*.jar")) {
      for (var file : files) jars.add(file.toUri().toURL());
    }
    return jars.toArray(URL[]::new);
  }

  /** Its classes are compiled for a later Java than most machines have, and use nothing of it. */
  private static final class Loader extends URLClassLoader {
    private static final int MAJOR_VERSION_AT = 7;

    Loader(URL[] jars) {
      super(jars, NetworkLibrary.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (var stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (stream == null) throw new ClassNotFoundException(name);
        var bytes = stream.readAllBytes();
        var ours = (byte) (44 + Runtime.version().feature());
        if (bytes[MAJOR_VERSION_AT] > ours) bytes[MAJOR_VERSION_AT] = ours;
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException failure) {
        throw new ClassNotFoundException(name, failure);
      }
    }
  }
}
