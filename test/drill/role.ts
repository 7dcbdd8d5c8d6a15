import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allProjections } from '#projections/index.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { runImporter } from '#src/importer/importer.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { runProjections } from '#src/runtime/projector.ts'

/**
 * The importer, the projector, or both in one process, on small appends and commits so that a kill finds many places.
 * Usage: role.ts import|project|both <network folder> <data folder>. Says `ready` before the work begins and `done`
 * after it.
 */
export interface RoleFolders {
  readonly network: string
  readonly data: string
}

export async function importAll({ network, data }: RoleFolders): Promise<void> {
  const log = openSqliteLog({ folder: data })
  await runImporter({
    source: openFolderSource({ folder: network }),
    log,
    store: openSqliteReadStore({ folder: join(data, 'read') }),
    clock: systemClock,
    logger: silentLogger,
    settings: {
      network: 'drill',
      once: true,
      pathType: 'ACCOUNT_ID',
      addressBook: await readFile(join(network, 'address-book.bin')),
      sidecarTypes: new Set([1, 2, 3]),
      appendBlocksMax: 2,
      checkpointBlocks: 3,
    },
  })
  await log.close()
}

export async function projectAll({ data }: RoleFolders): Promise<void> {
  const log = openSqliteLog({ folder: data })
  const store = openSqliteReadStore({ folder: join(data, 'read') })
  const limits = { readCountMax: 64, commitEventsMax: 150 }
  await runProjections({ log, store, projections: allProjections, follow: false, strict: true, limits })
  await store.close()
  await log.close()
}

export type Role = 'import' | 'project' | 'both'

export async function runRole(role: Role, folders: RoleFolders): Promise<void> {
  await Promise.all([
    role === 'project' ? undefined : importAll(folders),
    role === 'import' ? undefined : projectAll(folders),
  ])
}

if (process.argv[1]?.endsWith('role.ts')) {
  const [role, network, data] = process.argv.slice(2) as [Role, string, string]
  process.stdout.write('ready\n')
  await runRole(role, { network, data })
  process.stdout.write('done\n')
}
