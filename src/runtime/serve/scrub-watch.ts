import type { LedgerError } from '#src/domain/errors.ts'
import { damageFound, readScrubs, type ScrubRecord } from '#src/operations/scrubs.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

const intervalMs = 2_000
const timeoutMs = 2_000

type Asked = Pick<ServedModel, 'name' | 'id' | 'origin'>

/** What the last scrubs of the rows that answer came to, whoever made them. */
export class ScrubWatch {
  #known: ReadonlyMap<string, ScrubRecord> = new Map()

  async follow(control: ControlStore, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(control)
      await rest(intervalMs, signal)
    }
  }

  async look(control: ControlStore): Promise<void> {
    try {
      this.#known = await inTime(readScrubs(control), timeoutMs, 'The store of the plan')
    } catch {
      // It is the store of the read models, too, and readiness says why that is away. What was found stays true.
    }
  }

  /** undefined where these rows were not scrubbed yet. */
  of({ name, id, origin }: Asked): ScrubRecord | undefined {
    const record = this.#known.get(`${name}@${id}`)
    return record?.mark === origin?.mark ? record : undefined
  }

  damageOf(model: Asked): LedgerError | undefined {
    return damageFound(`${model.name}@${model.id}`, model.origin?.mark, this.of(model))
  }
}
