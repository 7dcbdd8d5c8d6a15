import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { membersOf } from '#src/operations/parsed-document.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { LogBatch, LogHead, LogWriter, MessageLog, Position, ReadOptions } from '#src/ports/message-log.ts'

/** What the processes of a deployment have seen of a log generation: it never becomes less. */
export interface SeenHead {
  readonly identity: string
  readonly sequence: Position
  /** Consensus time (ns) of that event, decimal. */
  readonly time: string | null
}

export interface SeenLogOptions {
  readonly log: MessageLog
  readonly generation: number
  /** What a person calls the log. */
  readonly name: string
  /** undefined while the store is not open: then nothing is compared. */
  readonly control: () => ControlStore | undefined
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number
}

/** A head that is newer than this is remembered with the next look. */
const rememberEveryMs = 1_000

/**
 * A log that is held against what the deployment has seen of it, whenever its head is asked, a reader or a writer begins, or
 * something is appended; rejects with `log_lost` where it is gone, shorter than it was, or another one. What is seen for the
 * first time is remembered beside the plan, where every process finds it, so that it outlives the log.
 */
export class SeenLog implements MessageLog {
  readonly #options: SeenLogOptions
  readonly #log: MessageLog
  readonly #now: () => number
  #rememberedAtMs = Number.NEGATIVE_INFINITY
  #newest: SeenHead | undefined
  readonly reportProgress?: MessageLog['reportProgress'] & {}
  readonly uncheckedThrough?: MessageLog['uncheckedThrough'] & {}

  constructor(options: SeenLogOptions) {
    const { log } = options
    this.#options = options
    this.#log = log
    this.#now = options.now ?? (() => performance.now())
    if (log.reportProgress) this.reportProgress = (groupId, position) => log.reportProgress!(groupId, position)
    if (log.uncheckedThrough) this.uncheckedThrough = () => log.uncheckedThrough!()
  }

  async head(): Promise<LogHead> {
    const head = await this.#log.head()
    await this.#look(head)
    return head
  }

  identity(): Promise<string | undefined> {
    return this.#log.identity()
  }

  async *read(options: ReadOptions): AsyncGenerator<LogBatch> {
    await this.head()
    yield* this.#log.read(options)
  }

  async openWriter(): Promise<LogWriter> {
    await this.head()
    const writer = await this.#log.openWriter()
    return {
      get head() {
        return writer.head
      },
      append: async (blocks) => {
        const head = await writer.append(blocks)
        await this.#look(head)
        return head
      },
      close: async () => {
        try {
          await this.#rememberIfRoom()
        } finally {
          await writer.close()
        }
      },
    }
  }

  async close(): Promise<void> {
    await this.#log.close()
  }

  async #look({ sequence, time }: LogHead): Promise<void> {
    const { control, generation, name } = this.#options
    const store = control()
    if (store === undefined) return
    const isDue = this.#now() - this.#rememberedAtMs >= rememberEveryMs
    if (!isDue && this.#newest !== undefined && sequence >= this.#newest.sequence) {
      this.#newest = { ...this.#newest, sequence, time: time === undefined ? null : String(time) }
      return
    }
    const identity = await this.#log.identity()
    const seen = await readSeen(store, generation)
    if (seen && lossOf(seen, identity, sequence) !== undefined) {
      // Asked again: another process may have appended and remembered more since.
      const lacks = lossOf(seen, await this.#log.identity(), (await this.#log.head()).sequence)
      if (lacks !== undefined) throw lost(name, generation, seen, lacks)
    }
    if (identity === undefined || sequence === 0) return
    this.#newest = { identity, sequence, time: time === undefined ? null : String(time) }
    await this.#rememberIfRoom()
  }

  /** Who only reads goes on although the disk is full; the next look tries again. */
  async #rememberIfRoom(): Promise<void> {
    try {
      await this.#remember()
    } catch (error) {
      if (!isLedgerError(error, 'disk_full')) throw error
    }
  }

  /** What another process has remembered meanwhile is looked at the next time. */
  async #remember(): Promise<void> {
    const { control, generation } = this.#options
    const store = control()
    if (store === undefined || this.#newest === undefined) return
    const document = await store.get(documentOf(generation))
    const seen = document && seenFrom(document.text)
    const isNews =
      seen === undefined || (seen.identity === this.#newest.identity && seen.sequence < this.#newest.sequence)
    if (isNews) await store.put(documentOf(generation), JSON.stringify(this.#newest), document?.revision ?? 0)
    this.#rememberedAtMs = this.#now()
  }
}

/** What was seen of a log generation; undefined where nobody has seen an event of it. */
export async function readSeen(control: ControlStore, generation: number): Promise<SeenHead | undefined> {
  const document = await control.get(documentOf(generation))
  return document && seenFrom(document.text)
}

/** For a generation that is given up: its number is not used again. */
export async function forgetSeen(control: ControlStore, generation: number): Promise<void> {
  await control.remove(documentOf(generation))
}

function documentOf(generation: number): string {
  return `log/${generation}`
}

function seenFrom(text: string): SeenHead | undefined {
  const { identity, sequence, time } = membersOf<SeenHead>(text)
  if (typeof identity !== 'string' || typeof sequence !== 'number') return undefined
  return { identity, sequence, time: time ?? null }
}

/** What the log lacks of what was seen, as a part of a sentence; undefined where it lacks nothing. */
function lossOf(seen: SeenHead, identity: string | undefined, sequence: Position): string | undefined {
  if (sequence === 0) return 'is gone or empty'
  if (identity !== seen.identity) return `is another one, with ${sequence.toLocaleString('en-US')} events`
  if (sequence < seen.sequence) return `ends at event ${sequence.toLocaleString('en-US')}`
  return undefined
}

function lost(name: string, generation: number, { sequence, time, identity }: SeenHead, lacks: string): LedgerError {
  const last = time === null || time === '0' ? '' : `, the last of ${formatLedgerTime(BigInt(time))}`
  const repair =
    generation === decisionsGeneration
      ? 'bring them back: they can be made from nothing else'
      : 'bring it back, or write a new generation of it with "ledger-history import republish", see docs/how-to/repair-the-log.md'
  const message = `The log ${name} ${lacks}, but ${sequence.toLocaleString('en-US')} events were on it${last}; ${repair}`
  return new LedgerError('log_lost', message, { log: name, seen: sequence, identity })
}
