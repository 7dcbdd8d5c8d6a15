import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtOurEnd } from './guard.ts'
import type { Lifetime } from './service-process.ts'

/** What every local service can be told. */
export interface ServiceOptions {
  /** Keeps data and logs there. Unless given: a new temporary folder that is removed with the service. */
  readonly folder?: string
  /** Unless given, a free one. Always on the loopback address. */
  readonly port?: number
  /** Unless given, the service ends with this process. */
  readonly lifetime?: Lifetime
}

export interface ServiceFolder {
  readonly path: string
  /** Removes the folder if it was made for the service alone. */
  remove(): Promise<void>
}

/** Creates the folder that a service works in. */
export function openServiceFolder(name: string, { folder, lifetime }: ServiceOptions): ServiceFolder {
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    return { path: folder, remove: async () => {} }
  }
  const path = mkdtempSync(join(tmpdir(), `ledger-history-${name}-`))
  if (lifetime !== 'detached') removeAtOurEnd(path)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A running service of one process. */
export interface LocalService {
  /** What a client is given: `host:port`, or an address with a scheme. */
  readonly address: string
  readonly folder: string
  readonly logFile: string
  /** Processes that run at this moment. */
  readonly pids: readonly number[]
  /** As a power failure would. */
  kill(): Promise<void>
  /** Starts it again on the same port and data; resolves when it is ready. */
  restart(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Ends it and removes its folder if that was a temporary one. */
  stop(): Promise<void>
}
