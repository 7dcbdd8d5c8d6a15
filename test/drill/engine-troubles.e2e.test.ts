import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Program } from '#test/cli/support.ts'
import { answersAll, keepAsking } from '#test/drill/asking.ts'
import { type LiveDrill, type PlaceMaker, until, withDrill } from '#test/drill/live.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { mountSmallDisk, type SmallDisk, whyNoDisk } from '#test/drill/small-disk.ts'
import { describeWithOwn, startFerretDb, startKafka } from '#test/support/own-services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { freePorts } from '../../scripts/services/ports.ts'

/** Of processes, brokers and stores, over both deployments; all of them with LEDGER_TEST_ENGINE_KILLS=500. */
const kills = Number(process.env['LEDGER_TEST_ENGINE_KILLS'] ?? 25)
/** Whoever comes after a kill waits long for a store and a broker that have been killed as well. */
const killsElsewhere = Math.ceil(kills / 6)
const killsEmbedded = kills - killsElsewhere
/** How long a stopped process gives no sign of life. */
const stopMs = Number(process.env['LEDGER_TEST_STOP_SECONDS'] ?? 20) * 1_000
/** One process is stopped for every so many kills: once here, and elsewhere where there are many. */
const killsPerStop = 20
/** Everything moves on after every so many kills. */
const killsPerLook = 8
const killWithinMs = 600
/** Without rights on files of others, as root would have. */
const nobody = 65_534
const withoutRightsMs = 4_000
const testMs = (count: number): number => 240_000 + count * 15_000

const random = createRandom(seed)
const below = (count: number): number => Math.floor(random() * count)

/** What can be killed, and stopped. */
interface Victim {
  readonly name: string
  /** And is started again. */
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

interface Service {
  kill(): Promise<void>
  restart(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Who cannot begin since a broker or store is away says that it may be tried again, and whoever supervises it does. */
const tryAgainCode = 75
const tryAgainMs = 500

function victimOf(name: string, drill: LiveDrill, start: () => Program): Victim & { readonly program: Program } {
  const supervised = (): Program => {
    const begun = start()
    void begun.finished.then(async ({ code }) => {
      if (code !== tryAgainCode || begun !== program) return
      await drill.kill(begun)
      await sleep(tryAgainMs)
      if (begun === program) program = supervised()
    })
    return begun
  }
  let program = supervised()
  return {
    name,
    get program() {
      return program
    },
    async kill() {
      const killed = program
      await drill.kill(killed)
      if (killed === program) program = supervised()
    },
    signal: (signal) => void program.child.kill(signal),
  }
}

function serviceVictim(name: string, service: Service): Victim {
  return {
    name,
    async kill() {
      await service.kill()
      await sleep(random() * killWithinMs)
      await service.restart()
    },
    signal: (signal) => service.signal(signal),
  }
}

interface Crew {
  readonly victims: readonly Victim[]
  /** Returns what tells the lines that the product's processes have said since then. */
  listen(): () => string[]
  /** Whether the query process answers. */
  answers(): Promise<boolean>
  /** Asks it again and again while the work goes on: nothing that is there is told to be missing. */
  whileAsked(work: () => Promise<void>): Promise<void>
}

async function startCrew(drill: LiveDrill, services: readonly Victim[]): Promise<Crew> {
  const [port = 0] = await freePorts(1)
  const importer = victimOf('importer', drill, () => drill.startImporter())
  // Not before its files are there, which this process would make as its own.
  const { data, kafka } = drill.place
  const files = kafka === undefined ? ['log/log.sqlite', 'store/control.sqlite'] : []
  await until('the import begins', async () => {
    expect(drill.ended()).toEqual([])
    return files.every((file) => existsSync(join(data, file))) && (await drill.head()) > 0
  })
  const projector = victimOf('projector', drill, () => drill.startProjector())
  const server = victimOf('server', drill, () => drill.startServer(port, '--api-threads', '1'))
  await drill.grows()
  return {
    victims: [importer, projector, server, ...services],
    listen() {
      const before = [importer, projector, server].map(({ program }) => ({ program, length: program.err.length }))
      return () => before.flatMap(({ program, length }) => program.err.slice(length).split('\n'))
    },
    answers: () => answersAll(port),
    async whileAsked(work) {
      await until('requests are answered', () => answersAll(port))
      const clients = keepAsking([port])
      await work()
      await clients.stop()
      expect(clients.answers.length).toBeGreaterThan(10)
      const wrong = clients.answers.filter(
        ({ status, body }) => status !== 503 && (status !== 200 || /"(blocks|transactions)":\[\]/.test(body)),
      )
      expect(wrong.slice(0, 3)).toEqual([])
    },
  }
}

async function killMany(drill: LiveDrill, { victims }: Crew, count: number): Promise<void> {
  for (let kill = 1; kill <= count; kill++) {
    await sleep(random() * killWithinMs)
    if (kill % killsPerStop === 5) await stopOne(drill, victims)
    else await victims[below(victims.length)]!.kill()
    if (kill % killsPerLook === 0) await drill.grows()
  }
}

/** Others are killed meanwhile; then it wakes up, and is killed itself. */
async function stopOne(drill: LiveDrill, victims: readonly Victim[]): Promise<void> {
  const stopped = victims[below(victims.length)]!
  stopped.signal('SIGSTOP')
  const until = Date.now() + stopMs
  // Who is started while its broker or store is stopped waits for it.
  const other = victims.slice(0, 3).find((victim) => victim !== stopped)!
  await other.kill()
  await sleep(until - Date.now())
  stopped.signal('SIGCONT')
  await drill.grows()
  await stopped.kill()
}

async function ended(drill: LiveDrill, crew: Crew): Promise<void> {
  await drill.grows()
  await until('requests are answered', crew.answers)
  const { found, undisturbed, problems } = await drill.finish()
  expect(problems).toEqual([])
  expect(found).toEqual(undisturbed)
}

/** Takes all of a disk until somebody says so, and gives it back. */
async function fillUp(disk: SmallDisk, isTold: () => boolean): Promise<void> {
  disk.fill()
  try {
    await until(`the full disk ${disk.path} is told`, () => {
      disk.fill()
      return isTold()
    })
  } finally {
    disk.free()
  }
}

if (whyNoDisk !== undefined) console.warn(`skipped: full disks under engines that are killed: ${whyNoDisk}`)

it(
  `embedded log and stores are as they should be after ${killsEmbedded} kills, a process that stood still, ${whyNoDisk === undefined ? 'a full disk under each' : `(skipped: full disks, ${whyNoDisk})`} and lost permissions (seed ${seed})`,
  async () => {
    const disks: SmallDisk[] = []
    const dismount = () => {
      for (const disk of disks.splice(0).toReversed()) disk.unmount()
    }
    onTestFinished(dismount)
    const placeOf: PlaceMaker = (folder) => {
      const data = join(folder, 'data')
      mkdirSync(data)
      if (whyNoDisk === undefined)
        for (const part of ['log', 'log/contract-logs', 'store'])
          disks.push(mountSmallDisk(join(data, part), 160 << 20))
      return { data }
    }
    await withDrill(placeOf, async (drill) => {
      try {
        const isRoot = process.getuid?.() === 0
        if (isRoot) giveAway(drill)
        const crew = await startCrew(drill, [])
        await killMany(drill, crew, killsEmbedded)
        for (const disk of disks) {
          const lines = crew.listen()
          await fillUp(disk, () => lines().some((line) => line.includes(`${disk.path}/`) && line.includes('is full')))
          await drill.grows()
        }
        const folders = ['log', 'store'].map((part) => join(drill.place.data, part))
        await crew.whileAsked(() => withoutRights(folders, () => sleep(withoutRightsMs)))
        await drill.grows()
        await ended(drill, crew)
      } finally {
        await drill.endAll()
        dismount()
      }
    })
  },
  testMs(killsEmbedded),
)

/** Lets everything run as somebody who has no rights but those that files give. */
function giveAway(drill: LiveDrill): void {
  drill.user = nobody
  const { data } = drill.place
  chmodSync(join(data, '..'), 0o755)
  const give = (path: string): void => {
    chownSync(path, nobody, nobody)
    for (const each of readdirSync(path, { withFileTypes: true })) if (each.isDirectory()) give(join(path, each.name))
  }
  give(data)
}

/** Folders that nobody may look into while the work goes on, as after somebody's mistake. */
async function withoutRights(folders: readonly string[], work: () => Promise<void>): Promise<void> {
  const there = folders.filter((folder) => existsSync(folder))
  for (const folder of there) chmodSync(folder, 0)
  try {
    await work()
  } finally {
    for (const folder of there) chmodSync(folder, 0o755)
  }
}

describeWithOwn(['kafka', 'ferretdb'], 'broker and store, and who works on them', () => {
  it(
    `are as they should be after ${killsElsewhere} kills, a process that stood still, and ${whyNoDisk === undefined ? 'a full disk under each' : `(skipped: full disks, ${whyNoDisk})`} (seed ${seed})`,
    async () => {
      const folder = await temporaryFolder()
      const disks = new Map<string, SmallDisk>()
      const folderOf = (name: string): string => {
        const path = join(folder.path, name)
        if (whyNoDisk === undefined) disks.set(name, mountSmallDisk(path, 400 << 20))
        return path
      }
      const [kafka, store] = await Promise.all([
        startKafka({ heapMb: 384, folder: folderOf('kafka') }),
        startFerretDb({ folder: folderOf('store') }),
      ])
      onTestFinished(async () => {
        await Promise.all([kafka.stop(), store.stop()])
        for (const disk of disks.values()) disk.unmount()
        await folder.remove()
      })
      const placeOf: PlaceMaker = (data, run) => ({
        data,
        kafka: { brokers: kafka.bootstrap, prefix: 'drill' },
        mongodb: { uri: store.address, database: `drill-${run}` },
      })
      await withDrill(placeOf, async (drill) => {
        const crew = await startCrew(drill, [serviceVictim('broker', kafka), serviceVictim('store', store)])
        await killMany(drill, crew, killsElsewhere)
        for (const [name, service] of [
          ['kafka', kafka],
          ['store', store],
        ] as const) {
          const disk = disks.get(name)
          if (disk === undefined) continue
          const lines = crew.listen()
          await fillUp(disk, () => lines().some((line) => /"(log_unavailable|store_unavailable|disk_full)"/.test(line)))
          // A broker gives up when it cannot write; the operator starts it again.
          await service.restart()
          await drill.grows()
        }
        await ended(drill, crew)
      })
    },
    testMs(killsElsewhere),
  )
})
