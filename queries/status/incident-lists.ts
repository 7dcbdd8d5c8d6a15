import type { IncidentRow } from '#projections/status/schema.ts'
import { incidentDocument } from '#queries/status/documents.ts'
import type { Board } from '#queries/status/find-board.ts'
import { readWhole } from '#queries/status/find-incidents.ts'
import type { StatusContext } from '#queries/status/reads.ts'

/** Of all incidents in one document. */
const bytesMax = 2 << 20
/** Of the texts of one: so long ones leave room for others. */
const charactersMax = 200_000

/** Incidents and maintenances of a document as JSON, one after the other, as long as there is room for them. */
export class IncidentLists {
  readonly #context: StatusContext
  readonly #board: Board
  #bytes = 0

  constructor(context: StatusContext, board: Board) {
    this.#context = context
    this.#board = board
  }

  /** The first of them, as many as there is room for, each with its newest updates. */
  async of(incidents: readonly IncidentRow[]): Promise<string> {
    const texts: string[] = []
    for (const incident of incidents) {
      await this.#context.pause()
      const whole = await readWhole(this.#context, incident, charactersMax)
      const text = JSON.stringify(incidentDocument(whole, this.#board))
      this.#bytes += Buffer.byteLength(text)
      if (this.#bytes > bytesMax) break
      texts.push(text)
    }
    return `[${texts.join(',')}]`
  }
}
