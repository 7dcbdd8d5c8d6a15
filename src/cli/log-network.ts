import type { DataFolder } from '#src/cli/data-folder.ts'
import { usesNoDataFolder } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** The network that a log opens with; undefined while it is empty. */
export async function networkOfLog(log: MessageLog): Promise<string | undefined> {
  for await (const { records } of log.read({ after: 0, countMax: 1, bytesMax: 1, follow: false })) {
    const [first] = records
    if (first?.type === 'SnapshotStarted') return decodeEvent({ ...first, type: first.type }).network
    if (first !== undefined) return undefined
  }
  return undefined
}

/**
 * The network that a deployment belongs to. A data folder says it; where there is none the log is asked, and compared with
 * the configured name: `data_folder_other_network`. null while nobody knows.
 */
export async function networkOfDeployment(config: Config, folder: DataFolder, logger: Logger): Promise<string | null> {
  if (!usesNoDataFolder(config)) return folder.marker.network
  const engines = enginesOf(config, folder, logger)
  const stores = await engines.openStores()
  try {
    const { generation } = await readPlan(stores.controlStore)
    const log = await engines.openLog(generation)
    try {
      return assertSame((await networkOfLog(log)) ?? null, config.network, engines.logName(generation))
    } finally {
      await log.close()
    }
  } finally {
    await stores.close()
  }
}

function assertSame(found: string | null, network: string | null, log: string): string | null {
  if (found === null || network === null || found === network) return found ?? network
  throw new LedgerError(
    'data_folder_other_network',
    `The log ${log} holds the network "${found}", not "${network}"; name another log, or that network with --network`,
    { log, found, network },
  )
}
