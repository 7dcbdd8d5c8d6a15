import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** mongo-java-server with the version that today's drivers ask for: port, then the file of the H2 backend or nothing. */
public class MongoJavaServer {
  public static void main(String[] arguments) {
    var backend = arguments.length > 1 ? new H2Backend(arguments[1]) : new MemoryBackend();
    backend.version(
        new MongoVersion() {
          public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
          }

          public int getWireVersion() {
            return 13;
          }

          public String toVersionString() {
            return "5.0.0";
          }
        });
    var server = new MongoServer((MongoBackend) backend);
    // A graceful stop writes what H2 still holds in memory.
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    try {
      server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    } catch (Exception failure) {
      // Threads of the server would keep the process running for ever.
      System.err.println("cannot listen on port " + arguments[0] + ": " + failure.getMessage());
      System.exit(1);
    }
  }
}
