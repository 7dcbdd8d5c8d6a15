import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allProjections } from '#projections/index.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { type DataFolder, openDataFolder } from '#src/cli/data-folder.ts'
import { adopt, markBuilt, planRebuild } from '#src/operations/decide.ts'
import type { Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { announcePresence, type ProcessFigures } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { publish } from '#test/support/events.ts'
import { type Finished, Program, run } from '../support.ts'

const knownVersions = allProjections.map(({ schema }) => schema)
const at = '2026-01-01T00:00:00.000Z'

/** A data folder whose plan and processes a test makes up, and the verbs that work on it. */
export class TestDeployment {
  readonly path = mkdtempSync(join(tmpdir(), 'ledger-operator-'))
  readonly folder: DataFolder = openDataFolder(this.path, 'made-up')
  readonly control: ControlStore = openSqliteControlStore({ folder: this.folder.store })
  readonly #gone: AbortController[] = []
  readonly #ended: Promise<void>[] = []

  /** Appends events, and folds them into the first build of every read model as a projector would. */
  async record(records: readonly LogRecord[]): Promise<void> {
    await this.append(records)
    const log = openSqliteLog({ folder: this.folder.log })
    const store = openSqliteReadStore({ folder: this.folder.store })
    await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
    await store.close()
    await log.close()
  }

  /** Appends events that nobody folds yet. */
  async append(records: readonly LogRecord[]): Promise<void> {
    const log = openSqliteLog({ folder: this.folder.log })
    await publish(log, records)
    await log.close()
  }

  /** What the first projector does: every read model serves its newest version. */
  async adopt(): Promise<Plan> {
    return changePlan(this.control, (plan) => adopt(plan, knownVersions, at))
  }

  /** A further build of a read model that a rebuild has filled; without rows, as its log is without events. */
  async addBuilt(name: string): Promise<string> {
    let id = ''
    await changePlan(this.control, (plan) => {
      const planned = planRebuild(plan, knownVersions, { name }, at)
      id = planned.instance.id
      return markBuilt(planned.plan, name, id)
    })
    return id
  }

  plan(): Promise<Plan> {
    return readPlan(this.control)
  }

  /** A process that says these things of itself until it is told to go. */
  async announce(
    role: string,
    figures: () => ProcessFigures,
    intervalMs = 200,
  ): Promise<{ beat(): Promise<void>; leave(): Promise<void> }> {
    const gone = new AbortController()
    const { control } = this
    const told = { control, role, codeVersion: '9.9.9', host: 'elsewhere', pid: 7, logger: silentLogger }
    const presence = announcePresence({ ...told, figures, signal: gone.signal, intervalMs })
    this.#gone.push(gone)
    this.#ended.push(presence.ended)
    await presence.beat()
    const leave = (): Promise<void> => {
      gone.abort()
      return presence.ended
    }
    return { beat: () => presence.beat(), leave }
  }

  /** Runs `ledger-history projections …` on it. */
  verb(...args: readonly string[]): Promise<Finished> {
    return run(['projections', ...args, '--data', this.path])
  }

  start(...args: readonly string[]): Program {
    return new Program([...args, '--data', this.path])
  }

  async close(): Promise<void> {
    for (const gone of this.#gone) gone.abort()
    await Promise.all(this.#ended)
    await this.control.close()
    rmSync(this.path, { recursive: true, force: true })
  }
}
