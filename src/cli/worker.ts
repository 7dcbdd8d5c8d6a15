// Entry of every worker thread that `start` creates: one role each.
import { BroadcastChannel } from 'node:worker_threads'
import { Registry } from 'prom-client'
import { loadRole } from '#src/cli/roles/index.ts'
import type { RoleName, RoleReport, RoleSettings } from '#src/cli/roles/role.ts'
import { createLogger } from '#src/cli/terminal.ts'
import { runInThread } from '#src/runtime/process/threads.ts'
import { createThreadMetrics, type MetricsSnapshot, snapshotOf } from '#src/runtime/watch/metrics.ts'

export interface WorkerSettings extends RoleSettings {
  readonly role: RoleName
  /** Several threads may have one role. */
  readonly thread: string
}

interface MetricsMessage {
  readonly thread: string
  readonly snapshot: MetricsSnapshot
}

const publishIntervalMs = 1_000

await runInThread<WorkerSettings, RoleReport>(async ({ data, log, ...context }) => {
  const registry = new Registry()
  createThreadMetrics(registry, data.thread)
  const exchange = exchangeMetrics(data.thread, registry)
  try {
    const logger = createLogger(data.config.log.level, data.thread, log)
    const role = await loadRole[data.role]()
    await role({ ...data, ...context, logger, registry, otherMetrics: exchange.others, tellMetrics: exchange.tell })
  } finally {
    exchange.stop()
  }
})

interface MetricsExchange {
  readonly others: ReadonlyMap<string, MetricsSnapshot>
  tell(snapshot: MetricsSnapshot): void
  stop(): void
}

/** Every thread tells the others its metrics once a second, so that those of the API can answer for all of them. */
function exchangeMetrics(thread: string, registry: Registry): MetricsExchange {
  const channel = new BroadcastChannel('ledger-metrics')
  const others = new Map<string, MetricsSnapshot>()
  channel.onmessage = (event: unknown) => {
    const message = (event as { data: MetricsMessage }).data
    others.set(message.thread, message.snapshot)
  }
  let stopped = false
  const tell = (snapshot: MetricsSnapshot): void => {
    if (!stopped) channel.postMessage({ thread, snapshot } satisfies MetricsMessage)
  }
  const timer = setInterval(() => void snapshotOf(registry).then(tell), publishIntervalMs)
  return {
    others,
    tell,
    stop: () => {
      stopped = true
      clearInterval(timer)
      channel.close()
    },
  }
}
