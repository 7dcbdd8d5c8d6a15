import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installGoProgram } from './install.ts'
import { isListening } from './ports.ts'
import type { LocalService, ServiceOptions } from './service-folder.ts'
import { startSingleProcess } from './single-process.ts'

const version = 'v1.8.0'
const readyWithinMs = 60_000

export const s3AccessKey = 'ledger'
export const s3SecretKey = 'history'

/** Starts Versity S3 Gateway on a folder: path-style addresses, the keys above. */
export async function startS3(options: ServiceOptions = {}): Promise<LocalService> {
  const program = await installGoProgram(`versitygw-${version}`, {
    module: `github.com/versity/versitygw@${version}`,
    program: '/cmd/versitygw',
  })
  return await startSingleProcess({
    name: 's3',
    options,
    address: ({ port }) => `http://127.0.0.1:${port}`,
    command: ({ folder, port }) => {
      const buckets = join(folder, 'buckets')
      mkdirSync(buckets, { recursive: true })
      return {
        command: program,
        args: ['--port', `127.0.0.1:${port}`, 'posix', buckets],
        env: { ROOT_ACCESS_KEY: s3AccessKey, ROOT_SECRET_KEY: s3SecretKey },
      }
    },
    isReady: ({ port }) => isListening(port),
    readyWithinMs,
  })
}
