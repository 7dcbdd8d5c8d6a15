import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allProjections } from '#projections/index.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { runImporter } from '#src/importer/importer.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { superviseProjections } from '#src/runtime/replay/supervisor.ts'
import { type BlockReading, openReading } from '#test/drill/blocks/block-reading.ts'
import { drillNetwork } from '#test/drill/place.ts'
import { type OpenPlace, type Place, withPlace } from '#test/support/place.ts'

/**
 * The importer, the projector, or both in one process, on small appends and commits so that a kill finds many places.
 * Usage: role.ts import|project|both <network folder> <place as JSON> <reading of blocks as JSON, or null>. Says `ready` before the
 * work begins and `done` after it.
 */
export interface RoleFolders {
  readonly network: string
  readonly place: Place
  /** How blocks are read there; unless given, record files are. */
  readonly blocks?: BlockReading | undefined
}

export function importAll({ network, place, blocks }: RoleFolders): Promise<void> {
  return withPlace(place, async ({ log, readStore }) => {
    const reading = blocks && (await openReading(blocks, network, drillNetwork))
    const over = new AbortController()
    try {
      await runImporter({
        source: openFolderSource({ folder: network }),
        blocks: reading?.input,
        log,
        store: readStore,
        clock: systemClock,
        logger: silentLogger,
        signal: over.signal,
        onProgress: ({ latestBlock }) => {
          if (latestBlock !== undefined && blocks && latestBlock >= BigInt(blocks.through)) over.abort()
        },
        settings: {
          network: drillNetwork,
          once: true,
          pathType: 'ACCOUNT_ID',
          addressBook: await readFile(join(network, 'address-book.bin')),
          sidecarTypes: new Set([1, 2, 3]),
          appendBlocksMax: 2,
          checkpointBlocks: 3,
          ...reading?.settings,
        },
      })
    } finally {
      await reading?.close()
    }
  })
}

export function projectAll({ place }: RoleFolders): Promise<void> {
  return withPlace(place, async (opened) => {
    const { log, readStore: store } = opened
    const publishing = allProjections.filter(({ outputs }) => outputs.length > 0)
    const silent = allProjections.filter(({ outputs }) => outputs.length === 0)
    await Promise.all([
      runProjections({ log, store, projections: silent, follow: false, strict: true, limits }),
      publishAll(opened, publishing),
    ])
  })
}

const limits = { readCountMax: 64, commitEventsMax: 150 }

/** Folds to the end of the log, and publishes all of it. */
async function publishAll(
  { log, readStore: store, controlStore: control, openOutput }: OpenPlace,
  projections: readonly AnyProjection[],
): Promise<void> {
  const { ended } = superviseProjections({
    control,
    store,
    // Closing what is read of it leaves the log itself open.
    openLog: async () => logUpTo(log, Number.MAX_SAFE_INTEGER),
    projections,
    signal: new AbortController().signal,
    finish: AbortSignal.abort(),
    logger: silentLogger,
    limits,
    outputs: { open: (topic) => openOutput(topic, 'write'), batchEventsMax: 20 },
  })
  await ended
}

export type Role = 'import' | 'project' | 'both'

export async function runRole(role: Role, folders: RoleFolders): Promise<void> {
  await Promise.all([
    role === 'project' ? undefined : importAll(folders),
    role === 'import' ? undefined : projectAll(folders),
  ])
}

if (process.argv[1]?.endsWith('role.ts')) {
  const [role, network, place, blocks] = process.argv.slice(2) as [Role, string, string, string]
  process.stdout.write('ready\n')
  const reading = (JSON.parse(blocks) ?? undefined) as BlockReading | undefined
  await runRole(role, { network, place: JSON.parse(place) as Place, blocks: reading })
  process.stdout.write('done\n')
}
