import { randomUUID } from 'node:crypto'
import { digestOf, eventIdFor, idFor } from '#commands/status/command-ids.ts'
import type { StatusCommand } from '#commands/status/commands.ts'
import { type Consequence, consequencesOf } from '#commands/status/consequences.ts'
import { decide } from '#commands/status/decide/decide.ts'
import { type StatusEvent, streamOf, type UpdateText } from '#commands/status/events.ts'
import { decisionsLost, notThere } from '#commands/status/lost-decisions.ts'
import { refuse } from '#commands/status/refusals.ts'
import type { SeenDecisions } from '#commands/status/seen-decisions.ts'
import { type CausedEvent, StatusBook } from '#commands/status/status-book.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { digestOfDecision } from '#src/events/decisions.ts'
import type { Clock } from '#src/ports/clock.ts'
import type {
  ActorRole,
  DecisionStore,
  ExpectedRevision,
  NewDecision,
  RecordedDecision,
  SeenDecision,
} from '#src/ports/decision-store.ts'

/**
 * What folds decisions for those who read them, asked before they are written down: what cannot be folded could never be
 * shown. Pure, in memory.
 */
interface ReadersFold {
  /** One that is written down. */
  take(decision: RecordedDecision): void
  /** Why these cannot be shown; undefined where they can. */
  refusalOf(decisions: readonly RecordedDecision[]): string | undefined
}

export interface StatusServiceOptions {
  readonly store: DecisionStore
  readonly clock: Clock
  /** Makes a new one, which is told everything that was decided. */
  readonly readers: () => ReadersFold
  readonly seen: SeenDecisions
  /** How often a command is decided anew after another one was faster. */
  readonly attemptsMax?: number
}

/** Who asks, and how the request is known. */
export interface CommandRequest {
  readonly actor: string
  readonly role: ActorRole
  /** Made up unless given. */
  readonly command_id?: string | undefined
  readonly expected_revision?: number | undefined
}

export interface CommandAnswer {
  readonly command_id: string
  /** Of what the command was about: a component, an incident, a maintenance, the page. */
  readonly id: string
  readonly stream: string
  /** Of the stream, as of the last event that the command led to. */
  readonly revision: number
  /** In the order in which they were written. */
  readonly events: readonly CausedEvent[]
}

const readCountMax = 1_000
const schemaVersion = 1

/**
 * Where commands on the status page are decided. It knows all that was decided, reads what came since, decides, and
 * appends at the revision that it decided on; another process may do the same at the same time. What follows for
 * components is appended after that, by whoever comes first.
 */
export class StatusService {
  readonly #store: DecisionStore
  readonly #clock: Clock
  readonly #newReaders: () => ReadersFold
  readonly #seen: SeenDecisions
  readonly #attemptsMax: number
  #book = new StatusBook()
  #readers: ReadersFold
  /** The newest decision that was remembered here. */
  #remembered: SeenDecision | undefined
  /** Commands of one process take turns, so that they lose no races among themselves. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ store, clock, readers, seen, attemptsMax = 50 }: StatusServiceOptions) {
    this.#store = store
    this.#clock = clock
    this.#newReaders = readers
    this.#readers = readers()
    this.#seen = seen
    this.#attemptsMax = attemptsMax
  }

  /**
   * Rejects with `CommandRefused`, having appended nothing, with `revision_conflict` where every race was lost, and with
   * `decisions_lost` where the store has not all that was seen of it.
   */
  execute(command: StatusCommand, request: CommandRequest): Promise<CommandAnswer> {
    return this.#inTurn(() => this.#execute(command, request))
  }

  /** Everything decided so far, with what follows from it written down: what an interrupted process left open. */
  settled(): Promise<StatusBook> {
    return this.#inTurn(async () => {
      await this.#retrying('what follows from earlier decisions', async () => {
        await this.#arrive()
        await this.#settle()
      })
      return this.#book
    })
  }

  async #execute(command: StatusCommand, request: CommandRequest): Promise<CommandAnswer> {
    const { command_id = randomUUID(), expected_revision } = request
    const digest = digestOf({ ...command, expected_revision, role: request.role })
    return this.#retrying(`the command ${command.type}`, async () => {
      await this.#arrive()
      const known = this.#book.commandOf(command_id)
      if (known === undefined) await this.#decide(command, { ...request, command_id }, digest)
      else if (known.digest !== digest)
        refuse('command_id_reused', `The command id ${command_id} belongs to another command; choose a new one`)
      await this.#settle()
      return this.#answer(command_id)
    })
  }

  async #decide(command: StatusCommand, request: CommandRequest & { command_id: string }, digest: string) {
    const { command_id, expected_revision, actor, role } = request
    const now = new Date(this.#clock.now()).toISOString()
    const newId = (purpose: string): string => idFor(command_id, purpose)
    const events = decide(await this.#whole(command), this.#book, { now, role, newId })
    const stream = streamOf(events[0]!)
    const revision = this.#book.revisionOf(stream)
    if (expected_revision !== undefined && expected_revision !== revision)
      refuse('revision_conflict', `${stream} is at revision ${revision}, not at ${expected_revision}`)
    const cause = { command_id, command_digest: digest, actor, actor_role: role }
    const decisions = events.map((event, index) => this.#decision(event, cause, index))
    this.#assertShown(stream, revision, decisions)
    await this.#append(stream, decisions)
  }

  /** An edit that says nothing else has the text that is there, which only the store keeps. */
  async #whole(command: StatusCommand): Promise<StatusCommand> {
    if (command.type !== 'EditIncidentUpdate' || command.body !== undefined) return command
    const events = await this.#store.readStream(`incident-${command.incident_id}`)
    const body = textOf(events, command.update_id)
    return body === undefined ? command : { ...command, body }
  }

  /** What the page could not show is not written down, since nothing takes it back. */
  #assertShown(stream: string, before: ExpectedRevision, decisions: readonly NewDecision[]): void {
    const first = before === 'none' ? 0 : before + 1
    const { position } = this.#book
    const recorded = decisions.map((decision, index) => {
      return { ...decision, stream, revision: first + index, position: position + index + 1 }
    })
    const reason = this.#readers.refusalOf(recorded)
    if (reason !== undefined) refuse('not_showable', `The page could not show it: ${reason}`)
  }

  /** Appends what follows until nothing does: an event may have consequences of its own. Then all of it is remembered. */
  async #settle(): Promise<void> {
    for (let open = consequencesOf(this.#book); open.length > 0; open = consequencesOf(this.#book))
      for (const consequence of open) await this.#write(consequence)
    const { head } = this.#book
    if (head === undefined || head.digest === this.#remembered?.digest) return
    await this.#seen.remember(head)
    this.#remembered = head
  }

  /** Reads what came since, and makes sure that nothing of what was seen is gone. */
  async #arrive(): Promise<void> {
    const seen = await this.#seen.heads()
    const { head: own } = this.#book
    // What was read here is not there any more: whatever is there now is read anew, and judged by what was seen.
    if (own !== undefined && !(await this.#has(own))) this.#forget()
    await this.#catchUp()
    for (const head of seen)
      if (head.digest !== this.#book.head?.digest && !(await this.#has(head))) throw notThere(head, this.#book.head)
  }

  async #has({ stream, revision, position, digest }: SeenDecision): Promise<boolean> {
    const [decision] = await this.#store.readStream(stream, revision)
    return decision?.position === position && digestOfDecision(decision) === digest
  }

  #forget(): void {
    this.#book = new StatusBook()
    this.#readers = this.#newReaders()
    this.#remembered = undefined
  }

  async #write({ event, cause }: Consequence): Promise<void> {
    const stream = streamOf(event)
    const { at: _at, ...who } = cause
    // Its place tells it from the same one under the same command, as after a release.
    const place = Number(this.#book.revisionOf(stream))
    await this.#append(stream, [this.#decision(event, who, place)])
  }

  async #append(stream: string, decisions: readonly NewDecision[]): Promise<void> {
    await this.#store.append(stream, this.#book.revisionOf(stream), decisions)
    await this.#catchUp()
  }

  #decision({ type, data }: StatusEvent, cause: Omit<Consequence['cause'], 'at'>, index: number): NewDecision {
    const { command_id, command_digest, actor, actor_role } = cause
    const recorded_at = new Date(this.#clock.now()).toISOString()
    const metadata = { command_id, command_digest, actor, actor_role, recorded_at, schema_version: schemaVersion }
    return { id: eventIdFor(command_id, streamOf({ type, data } as StatusEvent), type, index), type, data, metadata }
  }

  async #catchUp(): Promise<void> {
    const { position: after } = this.#book
    for await (const { events } of this.#store.readAll({ after, countMax: readCountMax, follow: false }))
      for (const event of events) {
        this.#book.fold(event)
        this.#readers.take(event)
      }
  }

  #answer(command_id: string): CommandAnswer {
    const { events } = this.#book.commandOf(command_id) ?? {}
    if (events === undefined) throw decisionsLost(`what the command ${command_id} led to is not there any more`)
    const { stream } = events[0]!
    const revision = Math.max(...events.filter((event) => event.stream === stream).map((event) => event.revision))
    return { command_id, id: stream.slice(stream.indexOf('-') + 1), stream, revision, events }
  }

  /** Somebody else appended first: the command is decided again on what there is now. */
  async #retrying<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isLedgerError(error, 'revision_conflict')) throw error
        if (attempt < this.#attemptsMax) continue
        const message = `Others were faster ${attempt} times with ${what}; send it again`
        throw new LedgerError('revision_conflict', message, {}, error)
      }
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => undefined)
    return result
  }
}

/** What an update of an incident says now. */
function textOf(events: readonly RecordedDecision[], update_id: string): string | undefined {
  let body: string | undefined
  for (const { type, data } of events) {
    const told = type === 'IncidentUpdateEdited' ? data : (data as { update?: object }).update
    if (told !== undefined && (told as UpdateText).update_id === update_id) body = (told as UpdateText).body
  }
  return body
}
