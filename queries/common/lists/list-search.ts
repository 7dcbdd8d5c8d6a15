import type { Chunk } from '#queries/common/lists/entry-chunks.ts'
import { ListCursor } from '#queries/common/lists/list-cursor.ts'
import { type ListContext, type ListSource, type ListTerm, readRuns } from '#queries/common/lists/list-runs.ts'
import { liveRuns } from '#src/runtime/lists/levels.ts'
import { entryBytes, viewOf } from '#src/runtime/lists/records.ts'
import { termsOf } from '#src/runtime/lists/term-directory.ts'

/** One entry: of the payload, what was added. */
export interface ListEntry {
  readonly time: bigint
  readonly payload: number
}

export interface ListSearch {
  readonly list: ListSource
  readonly terms: readonly ListTerm[]
  /** Inclusive times. */
  readonly lower: bigint
  readonly upper: bigint
  readonly descending: boolean
  /** What entries have to be like; all pass unless given. */
  readonly passes?: (payload: number) => boolean
  /** What makes entries of several terms the same: only their times, or their payloads, too. */
  readonly sameBy: 'time' | 'entry'
  /** How many entries are handed over together at first: what the caller takes at once, so that none is looked for in vain. */
  readonly batch?: number
}

/** Entries handed over together: at first so many as fill nearly every page, unless the search says it. */
const batchEntries = { first: 32, most: 128 } as const
/** Rows of the directory read at once: a range with few terms needs few, one with many is given up soon. */
const groupRows = { first: 4, growth: 4, max: 64 } as const
/** Terms whose next entries are read together. */
const fedAtOnce = 16

/**
 * The entries of any of the terms, in the order asked for, each once, in batches; walks as far as the caller reads. A batch is
 * empty where a step of the search did not fill one, so that the caller may do something else.
 */
export function mergeLists(context: ListContext, search: ListSearch): AsyncGenerator<ListEntry[], void, undefined> {
  const [term, ...others] = search.terms
  if (term !== undefined && others.length === 0) return walkOne(context, search, term)
  return walk(context, search, (all) => () => foremost(all, search.descending))
}

/** A search for entries that are on one list of each group. */
export type CommonSearch = Omit<ListSearch, 'terms'> & { readonly groups: readonly (readonly ListTerm[])[] }

/** The entries that each of the groups has; by `sameBy` of `time`, with the payload of the first group. */
export function intersectLists(
  context: ListContext,
  { groups, ...search }: CommonSearch,
): AsyncGenerator<ListEntry[], void, undefined> {
  const groupOf = groups.flatMap((terms, group) => terms.map(() => group))
  return walk(context, { ...search, terms: groups.flat() }, (all) => {
    const ofGroups = groups.map((_terms, group) => all.filter((_scan, index) => groupOf[index] === group))
    return () => common(ofGroups, all, search)
  })
}

/** All entries of a term, ascending: one read where it has few. */
export async function findEntries(context: ListContext, list: ListSource, term: ListTerm): Promise<ListEntry[]> {
  const { position, time: upper } = context.checkpoint
  const { runs, late } = await readRuns(context, list, term, liveRuns(list.shape, position))
  if (late.length > 0 || runs.some(({ hasBlocks }) => hasBlocks)) {
    const found: ListEntry[] = []
    const search = { list, terms: [term], lower: 0n, upper, descending: false, sameBy: 'entry' } as const
    for await (const batch of mergeLists(context, search)) found.push(...batch)
    return found
  }
  return runs
    .reverse()
    .flatMap(({ entries }) => entriesOf(entries, list))
    .filter(({ time }) => time <= upper)
}

/**
 * The terms that occur within a range, ascending, a batch per read, of a list that has a directory. Some may occur only
 * beyond the checkpoint or the time asked for.
 */
export async function* findTerms(
  { rows: reads }: ListContext,
  { name }: ListSource,
  kind: number,
  lower: bigint,
  upper: bigint,
): AsyncGenerator<bigint[], void, undefined> {
  let next = { value: lower >> 8n, inclusive: true }
  for (let limit: number = groupRows.first; ; limit = Math.min(limit * groupRows.growth, groupRows.max)) {
    const rows = await reads.find({
      collection: `${name}Terms`,
      index: ['kind', 'group'],
      prefix: [kind],
      lower: next,
      upper: { value: upper >> 8n, inclusive: true },
      limit,
      select: ['group', 'present'],
    })
    const terms = rows.flatMap((row) => termsOf(row['group'] as bigint, row['present'] as Uint8Array))
    yield terms.filter((term) => term >= lower && term <= upper)
    const last = rows.at(-1)?.['group'] as bigint | undefined
    if (rows.length < limit || last === undefined) return
    next = { value: last, inclusive: false }
  }
}

type Scan = EntryScan & { readonly time: bigint }

/** Chooses the next entry among scans that stand at one each, moves them on, or returns undefined when it only moved them. */
type Choose = () => ListEntry | 'end' | undefined

/** There is nothing to choose among the entries of a single term. */
async function* walkOne(
  context: ListContext,
  search: ListSearch,
  term: ListTerm,
): AsyncGenerator<ListEntry[], void, undefined> {
  const scan = new EntryScan(new ListCursor({ context, ...search, term }), search)
  let batch: ListEntry[] = []
  let size = search.batch ?? batchEntries.first
  let last: ListEntry | undefined
  for (;;) {
    const { time, payload } = scan
    if (time === undefined) {
      if (scan.hasEnded) break
      yield []
      await scan.feed()
      await context.pause()
      continue
    }
    if (last === undefined || !scan.isAt(last)) {
      last = { time, payload }
      batch.push(last)
    }
    scan.advance()
    if (batch.length < size) continue
    yield batch
    batch = []
    size = batchEntries.most
  }
  if (batch.length > 0) yield batch
}

async function* walk(
  context: ListContext,
  search: ListSearch,
  choiceOf: (all: readonly EntryScan[]) => Choose,
): AsyncGenerator<ListEntry[], void, undefined> {
  const all = search.terms.map((term) => new EntryScan(new ListCursor({ context, ...search, term }), search))
  const choose = choiceOf(all)
  let batch: ListEntry[] = []
  let size = search.batch ?? batchEntries.first
  for (;;) {
    if (all.some(isHungry)) {
      yield []
      const hungry = all.filter(isHungry)
      await Promise.all(hungry.slice(0, fedAtOnce).map((scan) => scan.feed()))
      await context.pause()
      continue
    }
    const chosen = choose()
    if (chosen === 'end') break
    if (chosen === undefined) continue
    batch.push(chosen)
    if (batch.length < size) continue
    yield batch
    batch = []
    size = batchEntries.most
  }
  if (batch.length > 0) yield batch
}

function isHungry(scan: EntryScan): boolean {
  return scan.isHungry
}

function stands(scan: EntryScan): scan is Scan {
  return scan.time !== undefined
}

function foremost(all: readonly EntryScan[], descending: boolean): ListEntry | 'end' {
  const chosen = foremostOf(all, { descending })
  if (chosen === undefined) return 'end'
  const entry = { time: chosen.time, payload: chosen.payload }
  for (const scan of all) while (stands(scan) && scan.isAt(entry)) scan.advance()
  return entry
}

type Sorting = Pick<ListSearch, 'descending'> & Partial<Pick<ListSearch, 'sameBy'>>

/** Of those that stand at an entry. */
function foremostOf(scans: readonly EntryScan[], { descending, sameBy }: Sorting): Scan | undefined {
  let chosen: Scan | undefined
  for (const scan of scans)
    if (stands(scan) && (chosen === undefined || isBefore(scan, chosen, descending, sameBy))) chosen = scan
  return chosen
}

/** The entry that all groups stand at; undefined where those that lag behind were moved on to the one that is ahead of all. */
function common(
  groups: readonly (readonly EntryScan[])[],
  all: readonly EntryScan[],
  sorting: Pick<ListSearch, 'descending' | 'sameBy'>,
): ListEntry | 'end' | undefined {
  const { descending, sameBy } = sorting
  let first: Scan | undefined
  let hindmost: Scan | undefined
  let isCommon = true
  for (const scans of groups) {
    const head = foremostOf(scans, sorting)
    if (head === undefined) return 'end'
    first ??= head
    hindmost ??= head
    if (hindmost.isAt(head)) continue
    isCommon = false
    if (isBefore(hindmost, head, descending, sameBy)) hindmost = head
  }
  if (first === undefined || hindmost === undefined) return 'end'
  const entry = { time: hindmost.time, payload: hindmost.payload }
  const found = { time: first.time, payload: first.payload }
  for (const scan of all) {
    if (!isCommon) scan.skipTo(entry.time)
    while (stands(scan) && (isCommon ? scan.isAt(entry) : isBefore(scan, entry, descending, sameBy))) scan.advance()
  }
  return isCommon ? found : undefined
}

function isBefore(
  one: ListEntry,
  other: ListEntry,
  descending: boolean,
  sameBy: ListSearch['sameBy'] = 'entry',
): boolean {
  if (one.time !== other.time) return one.time > other.time === descending
  return sameBy === 'entry' && one.payload !== other.payload && one.payload > other.payload === descending
}

/** Stands at an entry of a term that passes, and needs to be fed with the next chunk from time to time. */
class EntryScan {
  readonly #cursor: ListCursor
  readonly #search: ListSearch
  readonly #width: number
  #view: DataView = new DataView(new ArrayBuffer(0))
  #offset = 0
  #ended = false
  time: bigint | undefined
  payload = 0

  constructor(cursor: ListCursor, search: ListSearch) {
    this.#cursor = cursor
    this.#search = search
    this.#width = entryBytes(search.list.shape)
  }

  get isHungry(): boolean {
    return this.time === undefined && !this.#ended
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  async feed(): Promise<void> {
    if (!this.isHungry) return
    const chunk = await this.#cursor.next()
    if (chunk === undefined) {
      this.#ended = true
      return
    }
    this.#view = viewOf(chunk)
    this.#offset = this.#search.descending ? chunk.length - this.#width : 0
    this.advance()
  }

  isAt({ time, payload }: ListEntry): boolean {
    return this.time === time && (this.#search.sameBy === 'time' || this.payload === payload)
  }

  /** Passes over what lies before a time, in steps that halve the chunk, and over chunks: most of a long list has nothing in common with a short one. */
  skipTo(time: bigint): void {
    const { descending } = this.#search
    const isBefore = (other: bigint): boolean => (descending ? other > time : other < time)
    if (this.time === undefined || !isBefore(this.time)) return
    const step = descending ? -this.#width : this.#width
    let left = descending ? this.#offset / this.#width + 1 : (this.#view.byteLength - this.#offset) / this.#width
    while (left > 0) {
      const half = left >> 1
      const isPassed = isBefore(this.#view.getBigInt64(this.#offset + half * step))
      if (isPassed) this.#offset += (half + 1) * step
      left = isPassed ? left - half - 1 : half
    }
    this.advance()
    if (this.time === undefined) this.#cursor.skipTo(time)
  }

  /** Moves on to the next entry that passes; without time at the chunk's end. */
  advance(): void {
    const { passes, descending } = this.#search
    const step = descending ? -this.#width : this.#width
    for (; this.#offset >= 0 && this.#offset < this.#view.byteLength; this.#offset += step) {
      const payload = payloadAt(this.#view, this.#offset + 8, this.#width - 8)
      if (passes && !passes(payload)) continue
      this.payload = payload
      this.time = this.#view.getBigInt64(this.#offset)
      this.#offset += step
      return
    }
    this.time = undefined
  }
}

function payloadAt(view: DataView, offset: number, bytes: number): number {
  if (bytes === 4) return view.getUint32(offset)
  let payload = 0
  for (let at = offset; at < offset + bytes; at++) payload = payload * 256 + view.getUint8(at)
  return payload
}

function entriesOf(chunk: Chunk, { shape }: ListSource): ListEntry[] {
  const width = entryBytes(shape)
  const view = viewOf(chunk)
  return Array.from({ length: chunk.length / width }, (_, index) => ({
    time: view.getBigInt64(index * width),
    payload: payloadAt(view, index * width + 8, width - 8),
  }))
}
