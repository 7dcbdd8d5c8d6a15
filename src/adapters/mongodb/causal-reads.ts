import type { ClientSession, ClusterTime, ReadConcernLike, Timestamp } from 'mongodb'
import type { Connection } from '#src/adapters/mongodb/connection.ts'

export interface ReadSettings {
  readonly session?: ClientSession
  readonly readConcern?: ReadConcernLike
}

/**
 * Reads that never go back in time. The primary gives that by itself. Other members may each be behind in a way of their
 * own, so that rows could be missing below a checkpoint that another member told: there, each read waits until the member
 * has what the reads before it have seen.
 */
export class CausalReads {
  readonly #connection: Connection
  #seen: { operationTime: Timestamp; clusterTime: ClusterTime | undefined } | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run<T>(call: (settings: ReadSettings) => Promise<T>): Promise<T> {
    if (this.#connection.settings.readPreference === 'primary') return this.#connection.run(() => call({}))
    return this.#connection.run(async () => {
      // One session each, since a session serves one call at a time.
      const session = this.#connection.startSession()
      try {
        const { operationTime, clusterTime } = this.#seen ?? {}
        if (clusterTime) session.advanceClusterTime(clusterTime)
        if (operationTime) session.advanceOperationTime(operationTime)
        const result = await call({ session, readConcern: 'majority' })
        this.#advance(session)
        return result
      } finally {
        await session.endSession()
      }
    })
  }

  #advance({ operationTime, clusterTime }: ClientSession): void {
    const seen = this.#seen?.operationTime
    if (operationTime && (seen === undefined || operationTime.greaterThan(seen)))
      this.#seen = { operationTime, clusterTime }
  }
}
