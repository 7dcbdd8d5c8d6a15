import type { Position } from '#src/ports/message-log.ts'
import type { Checkpoint, ListSettings } from '#src/ports/read-store.ts'
import { ListState, type ListStore } from '#src/runtime/lists/list-state.ts'
import type { NewEntry } from '#src/runtime/lists/open-bucket.ts'
import { kindMax, type TermWords, termWords } from '#src/runtime/lists/records.ts'

interface PendingEntry {
  readonly list: ListState
  readonly entry: NewEntry
}

/** Events that were passed over when it was their turn and are folded again: all, or those of some times. */
export type LateEvents = 'all' | ReadonlySet<bigint>

/**
 * The lists of one projection run. Rows depend on the events up to the position alone: neither commits nor restarts leave
 * a trace. The caller folds an event and then accepts or rejects what it added, ends every window when its last event is
 * folded, flushes before each commit and says when one is made.
 */
export class ListWriter {
  readonly #late: LateEvents | undefined
  readonly #windowEvents: number
  readonly #lists = new Map<string, ListState>()
  #pending: PendingEntry[] = []
  #time = 0n
  #timeWords: TermWords = { kind: 0, high: 0, low: 0 }

  /** `late`: what these events add stands behind what the others do. */
  constructor(lists: Readonly<Record<string, ListSettings>>, { late }: { readonly late?: LateEvents } = {}) {
    this.#late = late
    for (const [name, list] of Object.entries(lists)) this.#lists.set(name, new ListState(name, list))
    const sizes = new Set([...this.#lists.values()].map(({ shape }) => shape.windowEvents))
    const [windowEvents] = sizes
    if (sizes.size !== 1 || windowEvents === undefined)
      throw new Error('the lists of a projection share one window size')
    this.#windowEvents = windowEvents
  }

  /** `kind`: 0 to 127. `time`: not before that of any earlier event. `payload`: unsigned, as wide as declared. */
  add(name: string, kind: number, term: bigint, time: bigint, payload: number): void {
    const list = this.#lists.get(name)
    if (!list) throw new Error(`there is no list ${name}`)
    if (kind < 0 || kind > kindMax) throw new Error(`kind ${kind} of list ${name} is not 0 to ${kindMax}`)
    if (time !== this.#time) {
      this.#time = time
      this.#timeWords = termWords(0, time)
    }
    const { high, low } = termWords(kind, term)
    const { high: timeHigh, low: timeLow } = this.#timeWords
    this.#pending.push({ list, entry: { kind, high, low, timeHigh, timeLow, payload } })
  }

  /** The event's fold succeeded: what it added counts. */
  accept(sequence: Position): void {
    const isLate = this.#late !== undefined && (this.#late === 'all' || this.#late.has(this.#time))
    for (const { list, entry } of this.#pending) {
      if (isLate) list.addLate(entry)
      else list.add(sequence, entry)
    }
    this.#pending.length = 0
  }

  reject(): void {
    this.#pending.length = 0
  }

  endsWindow(sequence: Position): boolean {
    return this.#late !== 'all' && sequence % this.#windowEvents === 0
  }

  /** Once the last event of a window is folded. */
  async endWindow(sequence: Position, store: ListStore): Promise<void> {
    for (const list of this.#lists.values()) await list.endWindow(sequence, store)
  }

  /** Puts what changed since the last commit. */
  async flush(store: ListStore): Promise<void> {
    for (const list of this.#lists.values()) await list.flush(store)
  }

  committed(): void {
    for (const list of this.#lists.values()) list.committed()
  }

  async open(checkpoint: Checkpoint, store: Pick<ListStore, 'load'>): Promise<void> {
    this.reject()
    for (const list of this.#lists.values()) await list.open(checkpoint, store)
  }
}
