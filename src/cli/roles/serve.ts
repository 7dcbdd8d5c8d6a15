import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { listenError } from '#src/cli/port.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import { createStandingFigures, type StandingFigures } from '#src/cli/roles/serve-figures.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { Config } from '#src/config/schema.ts'
import { createApp } from '#src/http/app.ts'
import type { HttpMetrics } from '#src/http/operations.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { systemClock } from '#src/ports/clock.ts'
import { createHttpMetrics, formatMetrics, snapshotOf } from '#src/runtime/metrics.ts'
import { measureReadiness } from '#src/runtime/status-readiness.ts'

const nanosPerDay = 86_400_000_000_000n
const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Answers requests from the read models until it is told to stop. */
export async function serve(context: RoleContext): Promise<void> {
  const { config, folder, logger, signal, report } = context
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const readers = {
    transactions: await store.openReader(transactionsSchema),
    blocks: await store.openReader(blocksSchema),
  }
  const standing = createStandingFigures(log, store, logger)
  const app = createApp({
    readers,
    settings: httpSettings(config),
    clock: systemClock,
    logger,
    metrics: httpMetrics(context, standing),
    readiness: () => measureReadiness({ log, readers, lagBudgetSeconds: config.api.lagBudgetSeconds }),
  })
  try {
    const url = await listen(app, config)
    report({ kind: 'ready', role: 'serve', url })
    await untilAborted(signal)
  } finally {
    await app.close()
    await standing.close()
    for (const reader of Object.values(readers)) await reader.close()
    await store.close()
    await log.close()
  }
}

type App = ReturnType<typeof createApp>

/** The address that it answers on. */
async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(host, port, error)
  }
  const address = app.server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${shown === '0.0.0.0' ? '127.0.0.1' : shown === '[::]' ? '[::1]' : shown}:${address.port}`
}

function httpSettings({ api }: Config): HttpSettings {
  return {
    ...defaultHttpSettings,
    pageSizeDefault: api.pageSizeDefault,
    pageSizeMax: api.pageSizeMax,
    bindTimestampRange: api.bindTimestampRange,
    boundRangeNs: BigInt(api.maxTimestampRangeDays) * nanosPerDay,
    nftOnlyMatches: api.nftOnlyMatches,
    requestTimeoutMs: api.requestTimeoutMs,
    maxWaitMs: api.maxWaitMs,
    responseCacheEntries: api.responseCacheEntries,
    users: api.users,
    docs: api.docs,
  }
}

/** Figures of the process and of this thread, with those that the other threads sent, or that log and store tell. */
function httpMetrics({ registry, otherMetrics }: RoleContext, standing: StandingFigures): HttpMetrics {
  collectDefaultMetrics({ register: registry })
  return {
    contentType: prometheusContentType,
    observeRequest: createHttpMetrics(registry),
    render: async () => {
      const own = await snapshotOf(registry)
      // The projections' thread measures the same, and series that occur twice would be added up.
      const others = otherMetrics.size > 0 ? otherMetrics.values() : [await standing.read()]
      return formatMetrics([own, ...others])
    },
  }
}
