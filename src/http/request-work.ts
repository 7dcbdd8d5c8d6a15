import type { Socket } from 'node:net'
import { LedgerError } from '#src/domain/errors.ts'
import type { Capacity } from '#src/http/capacity.ts'
import type { Gate } from '#src/http/gate.ts'
import { type Priority, priorities } from '#src/http/turns.ts'
import type { Row, RowQuery, RowReader, Value } from '#src/ports/read-store.ts'

export interface RequestWorkOptions {
  /** Of the request; the store is told it with each read. */
  readonly id: string
  readonly capacity: Capacity
  /** Longest time that the request may take. */
  readonly timeoutMs: number
  /** Gives up every request. */
  readonly signal: AbortSignal
  /** Of the client: nobody wants the answer once it is destroyed. */
  readonly socket: Pick<Socket, 'destroyed' | 'once' | 'off'>
}

/** What asking at all costs, in rows that could be read instead. */
const queryCost = 8
/**
 * Rows that a request reads at each priority before it falls to the next one. Whatever is looked up by id, and nearly every page
 * of 25, ends in the first; pages of 100, with what is joined to them, in the second; the largest pages in the third.
 */
const costMax: readonly number[] = [64, 256, 4_096, Number.POSITIVE_INFINITY]

/**
 * What one request does to the thread and to the store: every read waits for its turn, counts, and is the last one when the
 * client has left, the time is over, or the server closes. The more it has read, the fewer of its kind go on at once.
 */
export class RequestWork {
  readonly #options: RequestWorkOptions
  /** Ends the wait for a priority of few places; only what waits has one. */
  #over: AbortController | undefined
  #started = performance.now()
  #cost = 0
  #priority: Priority = priorities.first
  /** Takes its place at the priority, while it is waited for, and gives it back. */
  #entering: Promise<() => void> | undefined

  constructor(options: RequestWorkOptions) {
    this.#options = options
  }

  /** Resolves when the request may begin; undefined: at once. */
  begin(priority: Priority = priorities.first): Promise<void> | undefined {
    const { turns } = this.#options.capacity
    const turn = priority === priorities.first ? turns.arrive() : turns.goOn(priority)
    return turn?.then(() => this.#assertWanted())
  }

  /** Counts its time anew, after a wait that has a limit of its own. */
  restart(): void {
    this.#started = performance.now()
  }

  /** What a long search calls between its steps. Throws `unavailable` or `client_gone` once nobody waits for its answer. */
  readonly pause = async (): Promise<void> => {
    const turn = this.step()
    if (turn !== undefined) await turn
  }

  /** What the next step waits for; undefined: nothing. Rejects where a pause throws. */
  step(): Promise<void> | undefined {
    const over = this.#whyOver()
    if (over !== undefined) return Promise.reject(over)
    while (this.#cost > costMax[this.#priority]!) this.#fall()
    if (this.#entering !== undefined) return this.#stepBehind(this.#entering)
    // Meanwhile the server may have been closed, and what the search reads from with it.
    return this.#options.capacity.turns.goOn(this.#priority)?.then(() => this.#assertWanted())
  }

  async #stepBehind(entering: Promise<unknown>): Promise<void> {
    await entering
    await this.#options.capacity.turns.goOn(this.#priority)
    this.#assertWanted()
  }

  /** Counts what asking for so many rows at once takes. */
  count(rows: number): void {
    this.#cost += queryCost + rows
  }

  /** A reader each of whose reads is a step of this request. */
  reading(reader: RowReader): Pick<RowReader, 'get' | 'find' | 'newestTime'> {
    return new RequestReader(this, reader, this.#options.id)
  }

  assertClient(): void {
    if (this.#options.socket.destroyed) throw clientGone()
  }

  /** Nothing reads for this request any more. */
  end(): void {
    if (this.#entering === undefined) return
    this.#over?.abort()
    this.#leave()
  }

  #assertWanted(): void {
    const over = this.#whyOver()
    if (over !== undefined) throw over
  }

  /** undefined while somebody waits for the answer. */
  #whyOver(): LedgerError | undefined {
    const { signal, timeoutMs, socket } = this.#options
    if (socket.destroyed) return clientGone()
    if (!signal.aborted && performance.now() - this.#started <= timeoutMs) return undefined
    return new LedgerError('unavailable', 'The request was given up, since its time was over')
  }

  #fall(): void {
    const { large, searches } = this.#options.capacity
    this.#leave()
    this.#priority = (this.#priority + 1) as Priority
    if (this.#priority === priorities.large) this.#entering = this.#enter(large)
    if (this.#priority === priorities.search) this.#entering = this.#enter(searches)
  }

  /** Reads that were asked for together may still wait when one of them has failed: what they wait for is left, too. */
  #leave(): void {
    this.#entering?.then(
      (leave) => leave(),
      () => undefined,
    )
  }

  /** Waits no longer than the client does. What the server's end does not wake leaves when those inside have left. */
  async #enter(gate: Gate): Promise<() => void> {
    const { socket, timeoutMs } = this.#options
    this.#over ??= new AbortController()
    const over = this.#over
    const giveUp = (): void => over.abort()
    const timer = setTimeout(giveUp, timeoutMs - (performance.now() - this.#started))
    socket.once('close', giveUp)
    try {
      return await gate.enter(over.signal)
    } catch (error) {
      throw socket.destroyed ? clientGone() : error
    } finally {
      clearTimeout(timer)
      socket.off('close', giveUp)
    }
  }
}

/** Reads for one request: nothing is made anew for a read that need not wait. */
class RequestReader implements Pick<RowReader, 'get' | 'find' | 'newestTime'> {
  readonly #work: RequestWork
  readonly #reader: RowReader
  readonly #id: string

  constructor(work: RequestWork, reader: RowReader, id: string) {
    this.#work = work
    this.#reader = reader
    this.#id = id
  }

  newestTime(): bigint | undefined {
    return this.#reader.newestTime?.()
  }

  get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
  ): Promise<(Row | undefined)[]> {
    const turn = this.#work.step()
    this.#work.count(keys.length)
    if (turn === undefined) return this.#reader.get(collection, keys, select, this.#id)
    return turn.then(() => this.#reader.get(collection, keys, select, this.#id))
  }

  find(query: RowQuery): Promise<Row[]> {
    const turn = this.#work.step()
    return turn === undefined ? this.#find(query) : turn.then(() => this.#find(query))
  }

  async #find(query: RowQuery): Promise<Row[]> {
    const rows = await this.#reader.find(query, this.#id)
    this.#work.count(rows.length)
    return rows
  }
}

function clientGone(): LedgerError {
  return new LedgerError('client_gone', 'The client has left')
}
