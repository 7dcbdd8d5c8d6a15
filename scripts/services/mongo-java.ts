import { join } from 'node:path'
import { installJars } from './install.ts'
import { answersPing } from './mongo-ping.ts'
import { requireTools } from './run-tool.ts'
import type { LocalService, ServiceOptions } from './service-folder.ts'
import { startSingleProcess } from './single-process.ts'

const version = '1.47.0'
/** Name of its folder in the cache. */
export const mongoJavaInstallation = `mongo-java-server-${version}`
const readyWithinMs = 60_000

export interface MongoJavaOptions extends ServiceOptions {
  /** `memory`: fast, empty after a restart. `h2`: keeps a file, of which `kill` loses about the last second. */
  readonly backend: 'memory' | 'h2'
  /** File of the H2 backend; unless given, one in the service's folder. */
  readonly file?: string
  /** Largest heap, in MiB. */
  readonly heapMb?: number
}

/** Starts mongo-java-server, a server of the MongoDB protocol that is fast enough for volume. */
export async function startMongoJava(options: MongoJavaOptions): Promise<LocalService> {
  requireTools('mongo-java-server', ['java'])
  const program = await installJars(mongoJavaInstallation, [
    `de.bwaldvogel:mongo-java-server:${version}`,
    `de.bwaldvogel:mongo-java-server-h2-backend:${version}`,
    'org.slf4j:slf4j-simple:2.0.17',
  ])
  const { backend, file, heapMb = 512 } = options
  return await startSingleProcess({
    name: `mongo-java-${backend}`,
    options,
    address: ({ port }) => `mongodb://127.0.0.1:${port}/`,
    command: ({ folder, port }) => ({
      command: 'java',
      args: [
        `-Xmx${heapMb}m`,
        '-XX:+UseSerialGC',
        '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
        '-cp',
        join(program, 'lib', '*'),
        join(import.meta.dirname, 'MongoJavaServer.java'),
        String(port),
        ...(backend === 'h2' ? [file ?? join(folder, 'rows.h2')] : []),
      ],
    }),
    isReady: ({ port }) => answersPing(port),
    readyWithinMs,
  })
}
