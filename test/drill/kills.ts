import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BlockReading } from '#test/drill/blocks/block-reading.ts'
import { importAll, projectAll, type Role, type RoleFolders } from '#test/drill/role.ts'

/** Starts a role and kills it `afterMs` after it began to work; true when it was finished before. */
function killAfter(role: Role, { network, place, blocks }: RoleFolders, afterMs: number): Promise<boolean> {
  const file = fileURLToPath(new URL('./role.ts', import.meta.url))
  const args = [
    '--disable-warning=ExperimentalWarning',
    file,
    role,
    network,
    ...[place, blocks ?? null].map((one) => JSON.stringify(one)),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let errors = ''
    let finished = false
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.stdout.on('data', (chunk) => {
      const text = String(chunk)
      finished ||= text.includes('done')
      if (text.includes('ready')) setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve(finished)
      else reject(new Error(`the ${role} ended with ${code}: ${errors}`))
    })
  })
}

export interface KillRounds {
  readonly network: string
  /** How blocks are read, in each round; unless given, record files are. */
  readonly blocksOf?: ((round: number) => BlockReading) | undefined
  /** All of them unless given. */
  readonly roles?: readonly Role[]
  readonly kills: number
  /** Longest time that a process may work before it is killed, milliseconds. */
  readonly workMsMax: number
  readonly random: () => number
  readonly placeOf: (round: number) => Place
  /** Awaited when everything of a round is imported and folded. */
  readonly check: (place: Place, round: number) => Promise<void>
}

type Place = RoleFolders['place']
const allRoles: readonly Role[] = ['import', 'project', 'both']

/** Kills importers and projectors in the middle of their work until there were enough kills; each round has a fresh place. */
export async function killInRounds(rounds: KillRounds): Promise<void> {
  const { network, kills, workMsMax, random, placeOf, check, blocksOf, roles = allRoles } = rounds
  let done = 0
  for (let round = 0; done < kills; round++) {
    const folders = { network, place: placeOf(round), blocks: blocksOf?.(round) }
    // Only kills in the middle of the work count; a round ends when the importer once got through.
    for (let finished = false; !finished && done < kills; ) {
      const role = roles[Math.floor(random() * roles.length)] as Role
      const ended = await killAfter(role, folders, random() * workMsMax)
      if (!ended) done++
      finished = ended && role !== 'project'
    }
    await importAll(folders)
    await projectAll(folders)
    await check(folders.place, round)
  }
}

/** Log and rows of a network, imported and folded without a disturbance on the embedded engines. */
export async function importUndisturbed(network: string, folder: string): Promise<Place> {
  const place = { data: join(folder, 'undisturbed') }
  await importAll({ network, place })
  await projectAll({ network, place })
  return place
}
