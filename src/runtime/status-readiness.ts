import type { MessageLog } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'

export interface ReadinessOptions {
  readonly log: MessageLog
  /** Readers of the read models that must be ready, by name. */
  readonly readers: Readonly<Record<string, RowReader>>
  /** How far behind the log, in ledger time, a read model may be. */
  readonly lagBudgetSeconds: number
}

export interface ReadModelReadiness {
  readonly name: string
  readonly ready: boolean
  readonly position: number
  readonly lagEvents: number
  readonly lagSeconds: number
}

export interface LedgerReadiness {
  readonly [detail: string]: unknown
  /** True when every read model is built and within its budget. */
  readonly ready: boolean
  readonly head: number
  readonly readModels: readonly ReadModelReadiness[]
}

/** Compares every served read model with the true head of the log. */
export async function measureReadiness({ log, readers, lagBudgetSeconds }: ReadinessOptions): Promise<LedgerReadiness> {
  const head = await log.head()
  const readModels: ReadModelReadiness[] = []
  for (const [name, reader] of Object.entries(readers)) {
    const checkpoint = await reader.checkpoint()
    const position = checkpoint?.position ?? 0
    const lagEvents = Math.max(0, head.sequence - position)
    const behindNs = lagEvents === 0 ? 0n : (head.time ?? 0n) - (checkpoint?.time ?? 0n)
    const lagSeconds = Number((behindNs > 0n ? behindNs : 0n) / 1_000_000n) / 1_000
    readModels.push({
      name,
      ready: checkpoint !== undefined && lagSeconds <= lagBudgetSeconds,
      position,
      lagEvents,
      lagSeconds,
    })
  }
  return { ready: readModels.every(({ ready }) => ready), head: head.sequence, readModels }
}
