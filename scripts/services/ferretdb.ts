import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installGoProgram } from './install.ts'
import { answersPing } from './mongo-ping.ts'
import type { LocalService, ServiceOptions } from './service-folder.ts'
import { startSingleProcess } from './single-process.ts'

const version = 'v1.24.2'
/** Name of its folder in the cache. */
export const ferretDbInstallation = `ferretdb-${version}`
const readyWithinMs = 60_000

/** Starts FerretDB, a durable server of the MongoDB protocol over SQLite: no acknowledged write is lost by `kill`. */
export async function startFerretDb(options: ServiceOptions = {}): Promise<LocalService> {
  const program = await installGoProgram(ferretDbInstallation, {
    module: `github.com/FerretDB/FerretDB@${version}`,
    program: '/cmd/ferretdb',
    // A build outside its own repository does not know its version and refuses to start.
    patches: { 'build/version/version.txt': version, 'build/version/commit.txt': 'unknown' },
  })
  return await startSingleProcess({
    name: 'ferretdb',
    options,
    address: ({ port }) => `mongodb://127.0.0.1:${port}/`,
    command: ({ folder, port }) => {
      const data = join(folder, 'data')
      mkdirSync(data, { recursive: true })
      return {
        command: program,
        args: [
          '--handler=sqlite',
          `--sqlite-url=file:${data}/`,
          `--state-dir=${folder}`,
          `--listen-addr=127.0.0.1:${port}`,
          '--debug-addr=-',
          '--telemetry=disable',
          '--log-level=warn',
        ],
      }
    },
    isReady: ({ port }) => answersPing(port),
    readyWithinMs,
  })
}
