import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createRandom, seed } from '#test/drill/random.ts'
import { blockPages, type ListedBlock, newestBlock, tipPages } from '#test/drill/whole-blocks/pages.ts'
import { Seen } from '#test/drill/whole-blocks/seen.ts'
import { type Answer, Service, timeOf } from '#test/drill/whole-blocks/service.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Of each number of threads. The whole drill asks 100,000 times: LEDGER_TEST_WHOLE_BLOCKS=50000. */
const requests = Number(process.env['LEDGER_TEST_WHOLE_BLOCKS'] ?? 2_500)
const isWhole = requests >= 50_000
const connections = 16
/** Of all connections together; what a machine with less to offer does not reach is no failure. */
const requestsPerSecondMax = 250
const timeoutMs = 240_000 + requests * 20
/** Milliseconds from the last signature of a block to all of its answers, asked for in the whole drill. */
const [medianMaxMs, p99MaxMs] = [80, 250]
const pauseMs = isWhole ? 10_000 : 1_000

it.each([1, 2])(
  `no block is seen in part, asked ${requests} times over ${connections} connections to %i threads while processes are killed and read models promoted (seed ${seed})`,
  async (threads) => {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const options = { folder: folder.path, threads, transactionsPerSecond: 200, blockSeconds: 0.5 }
    const service = await Service.begin(options, connections)
    const drill = new Drill(service, await tipPages(async (path) => JSON.parse((await service.ask(path)).body)))
    await drill.run()
    expect(service.ended()).toEqual([])
    drill.judge()
  },
  timeoutMs,
)

/** What is done to the service meanwhile. */
type Disturbance = 'kill project' | 'kill serve' | 'promote'

interface Period {
  readonly what: Disturbance
  readonly fromMs: number
  readonly toMs: number
}

interface Delay {
  readonly signedAtMs: number
  readonly listedMs: number
  readonly allMs: number
}

class Drill {
  readonly #service: Service
  readonly #tip: readonly string[]
  readonly #random = createRandom(seed)
  /** Pages of a block, and what is said of an instant. */
  readonly #ofBlocks = new Seen()
  readonly #ofInstants = new Seen()
  readonly #inPart: string[] = []
  readonly #goneBack: string[] = []
  readonly #periods: Period[] = []
  readonly #delays: Delay[] = []
  readonly #statuses = new Map<number, number>()
  #newest: ListedBlock | undefined
  #asked = 0
  #older = 0
  #over = false

  constructor(service: Service, tip: readonly string[]) {
    this.#service = service
    this.#tip = tip
  }

  async run(): Promise<void> {
    const began = performance.now()
    const disturbing = this.#disturb()
    await Promise.all([this.#measure(), ...Array.from({ length: connections - 1 }, () => this.#read())])
    const seconds = (performance.now() - began) / 1_000
    await disturbing
    await sleep(1_000)
    const pages = this.#ofBlocks.things
    for (const path of pages) this.#ofBlocks.note(path, await this.#service.ask(path))
    console.log(
      `${this.#asked} answers in ${seconds.toFixed(0)} s, ${this.#older} of them older than a block that was listed before, as they said; ` +
        `${pages.length} pages of blocks were the same ${this.#ofBlocks.compared} times, those of an instant ${this.#ofInstants.compared} times; ` +
        `${[...this.#statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
    )
    for (const what of ['undisturbed', 'promote', 'kill project', 'kill serve'] as const) this.#tell(what)
  }

  judge(): void {
    expect(this.#ofBlocks.differences.slice(0, 3)).toEqual([])
    expect(this.#ofInstants.differences.slice(0, 3)).toEqual([])
    expect(this.#inPart.slice(0, 3)).toEqual([])
    expect(this.#goneBack.slice(0, 3)).toEqual([])
    expect(this.#ofBlocks.compared).toBeGreaterThan(requests / 20)
    expect(this.#ofInstants.compared).toBeGreaterThan(requests / 20)
    expect(new Set(this.#periods.map(({ what }) => what)).size).toBe(3)
    // A machine that is busy with other tests leaves read models behind, which answers say: how often, and how late, is judged by itself.
    if (!isWhole) return
    expect(this.#older).toBeLessThan(this.#asked / 10)
    const undisturbed = this.#delaysDuring('undisturbed').map(({ allMs }) => allMs)
    expect(quantile(undisturbed, 0.5)).toBeLessThan(medianMaxMs)
    expect(quantile(undisturbed, 0.99)).toBeLessThan(p99MaxMs)
  }

  /** Reads on until there were enough, at the pace of all connections together. */
  async #read(): Promise<void> {
    const times = new Map<string, bigint>()
    while (!this.#isDone) {
      const began = performance.now()
      await this.#askOnce(times)
      const turnMs = (connections * 1_000) / requestsPerSecondMax
      await sleep(Math.max(0, turnMs * (0.5 + this.#random()) - (performance.now() - began)))
    }
  }

  async #askOnce(times: Map<string, bigint>): Promise<void> {
    const block = this.#newest
    const pick = this.#random()
    if (block === undefined || pick < 0.1) {
      const { answer, block: listed } = await this.#newestBlock()
      this.#noteTime('/blocks', answer, times)
      if (listed !== undefined) this.#newest = listed
    } else if (pick < 0.5) {
      const pages = blockPages(block)
      await this.#askPage(pages[Math.floor(this.#random() * pages.length)]!, block, times)
    } else {
      const path = this.#tip[Math.floor(this.#random() * this.#tip.length)]!
      const answer = await this.#ask(path)
      this.#noteTime(path, answer, times)
      if (answer.status < 500 && answer.status > 0) this.#ofInstants.note(`${path} as of ${answer.time}`, answer)
      if (answer.status === 200 && answer.time < timeOf(block.timestamp.to)) this.#older += 1
    }
  }

  /** What is said of a block that was listed: from then on it is always the same. */
  async #askPage(path: string, block: ListedBlock, times: Map<string, bigint>): Promise<Answer> {
    const answer = await this.#ask(path)
    this.#noteTime(path.replace(/\?.*|\/\d+$/, ''), answer, times)
    if (answer.status === 0 || answer.status >= 500) return answer
    // A read model that is left out is not waited for, and says so.
    if (answer.time < timeOf(block.timestamp.to)) {
      this.#older += 1
      return answer
    }
    this.#ofBlocks.note(path, answer)
    const { transactions } = JSON.parse(answer.body) as { transactions?: unknown[] }
    if (path === blockPages(block)[1] && transactions?.length !== Math.min(100, block.count))
      this.#inPart.push(`${path}: ${transactions?.length} of ${block.count} transactions`)
    return answer
  }

  /** How long each block takes from its signature to the list of blocks, and to all that is said of it. */
  async #measure(): Promise<void> {
    const times = new Map<string, bigint>()
    let last: number | undefined
    while (!this.#isDone) {
      const { block } = await this.#newestBlock()
      const listedAtMs = Date.now()
      if (block !== undefined && block.number !== last) {
        this.#newest = block
        const isFirst = last === undefined
        last = block.number
        const answers = await Promise.all(blockPages(block).map((path) => this.#askPage(path, block, times)))
        const isAnswered = answers.every(
          ({ status, time }) => status < 500 && status > 0 && time >= timeOf(block.timestamp.to),
        )
        const signedAtMs = this.#service.signedAt(block.name)
        if (isAnswered && !isFirst)
          this.#delays.push({ signedAtMs, listedMs: listedAtMs - signedAtMs, allMs: Date.now() - signedAtMs })
      }
      await sleep(6)
    }
  }

  async #disturb(): Promise<void> {
    const disturbances: Record<Disturbance, () => Promise<void>> = {
      'kill project': async () => {
        await this.#service.kill('project')
        await sleep(this.#random() * 1_000)
        this.#service.start('project')
      },
      'kill serve': async () => {
        await this.#service.kill('serve')
        this.#service.start('serve')
      },
      promote: async () => {
        const names = ['transactions', 'blocks', 'balances', 'contract-results', 'entities', 'nfts']
        const name = names[Math.floor(this.#random() * names.length)]!
        for (const verb of ['rebuild', 'promote', 'prune']) await this.#service.verb('projections', verb, name)
      },
    }
    while (!this.#isDone)
      for (const what of ['promote', 'kill project', 'kill serve'] as const) {
        await sleep(pauseMs)
        const fromMs = Date.now()
        await disturbances[what]()
        await this.#untilAtTip()
        this.#periods.push({ what, fromMs, toMs: Date.now() })
      }
    this.#over = true
  }

  /** Until a block that is signed from now on is listed. */
  async #untilAtTip(): Promise<void> {
    await this.#service.untilReady()
    const fromMs = Date.now()
    for (;;) {
      const { block } = await this.#newestBlock()
      if (block !== undefined && this.#service.signedAt(block.name) >= fromMs) return
      await sleep(20)
    }
  }

  async #newestBlock(): Promise<{ answer: Answer; block: ListedBlock | undefined }> {
    const answer = await this.#ask('/blocks?limit=1')
    const block = answer.status === 200 ? newestBlock(answer.body) : undefined
    // All answers are as of the end of a block: the newest one that they know.
    if (block !== undefined && timeOf(block.timestamp.to) !== answer.time)
      this.#inPart.push(`block ${block.number} ends at ${block.timestamp.to}, the answer is as of ${answer.time}`)
    return { answer, block }
  }

  async #ask(path: string): Promise<Answer> {
    const answer = await this.#service.ask(path)
    this.#asked += answer.status === 0 ? 0 : 1
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
    return answer
  }

  #noteTime(what: string, { status, time }: Answer, times: Map<string, bigint>): void {
    if (status === 0 || status >= 500) return
    const before = times.get(what) ?? 0n
    if (time < before) this.#goneBack.push(`${what}: ${time} behind ${before}`)
    times.set(what, time)
  }

  get #isDone(): boolean {
    return this.#asked >= requests && (isWhole || this.#periods.length >= 3 || this.#over)
  }

  #delaysDuring(what: Disturbance | 'undisturbed'): readonly Delay[] {
    return this.#delays.filter(({ signedAtMs, allMs }) => {
      const during = this.#periods.find(({ fromMs, toMs }) => signedAtMs + allMs >= fromMs && signedAtMs <= toMs)
      return (during?.what ?? 'undisturbed') === what
    })
  }

  #tell(what: Disturbance | 'undisturbed'): void {
    const delays = this.#delaysDuring(what)
    const figures = (of: (delay: Delay) => number) => {
      const all = delays.map(of)
      return [0.5, 0.9, 0.99, 1].map((share) => quantile(all, share)?.toFixed(0)).join(', ')
    }
    console.log(
      `${what}: ${delays.length} blocks; ms from the signature, median, p90, p99 and at most, to the list of blocks: ` +
        `${figures(({ listedMs }) => listedMs)}; to all answers: ${figures(({ allMs }) => allMs)}`,
    )
  }
}

function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
