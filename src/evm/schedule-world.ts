import { OverlaidFacts } from '#src/evm/overlaid-facts.ts'
import type { ScheduleFacts, ScheduleLedger, SecondFacts } from '#src/evm/schedule-facts.ts'
import type { UndoLog } from '#src/evm/undo-log.ts'

/** Schedules as a simulated transaction sees and changes them: what frames that fail changed is taken back with all else. */
export class ScheduleWorld implements ScheduleLedger {
  readonly #ledger: ScheduleLedger
  readonly #facts: OverlaidFacts

  constructor(ledger: ScheduleLedger, changes: UndoLog) {
    this.#ledger = ledger
    this.#facts = new OverlaidFacts(changes)
  }

  schedule(id: bigint): Promise<ScheduleFacts | undefined> {
    return this.#facts.get(`schedule ${id}`, () => this.#ledger.schedule(id))
  }

  set(facts: ScheduleFacts): void {
    this.#facts.set(`schedule ${facts.id}`, facts)
  }

  scheduledAt(second: bigint): Promise<SecondFacts> {
    return this.#facts.get(`scheduled ${second}`, () => this.#ledger.scheduledAt(second))
  }

  /** Adds one that the transaction itself makes. */
  async add(facts: ScheduleFacts): Promise<void> {
    const { transactions, gas } = await this.scheduledAt(facts.expirySeconds)
    const all = { transactions: transactions + 1n, gas: gas + facts.scheduled.gas }
    this.#facts.set(`scheduled ${facts.expirySeconds}`, all)
    this.set(facts)
  }
}
