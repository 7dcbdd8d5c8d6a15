import { hexOf } from '#src/domain/bytes.ts'
import { SizedCache } from '#src/domain/sized-cache.ts'
import { dataBytesMax } from '#src/evm/call-request.ts'
import { requestsOf } from '#src/evm/threads/known-facts.ts'
import type { Job } from '#src/evm/threads/messages.ts'

/** Of what is called nobody knows how long it takes: on slow cores a loop of 15,000,000 gas takes 4.5 s. */
const msPerGasAtFirst = 0.000_3
/** Less says more of the thread than of the gas. */
const gasSeenMin = 500_000n
const functionsMax = 1_000
const selectorBytes = 4
/** So much of what is known stays with each call that was faster. */
const shareKept = 0.9

/** How long jobs take, by those that have ended: of the same function of the same contract, else by the gas that they may use. */
export class CallPace {
  readonly #byFunction = new SizedCache<string, number>(functionsMax)
  #msPerGas = msPerGasAtFirst

  /** How long one takes that has run so long already. */
  expectedMs(job: Job, ranMs = 0): number {
    const name = functionOf(job)
    const known = name === undefined ? undefined : this.#byFunction.get(name)
    if (known !== undefined && ranMs < known) return known - ranMs
    const gas = requestsOf(job).reduce((sum, { data, gas }) => sum + (data.length > dataBytesMax ? 0 : Number(gas)), 0)
    return Math.max(0, gas * this.#msPerGas - ranMs)
  }

  /** Gas is what was used, where that is known. */
  saw(job: Job, ms: number, gas?: bigint): void {
    const name = functionOf(job)
    if (name !== undefined) this.#byFunction.keep(name, slower(ms, this.#byFunction.get(name)))
    if (gas !== undefined && gas >= gasSeenMin) this.#msPerGas = slower(ms / Number(gas), this.#msPerGas)
  }
}

function slower(seen: number, known = seen): number {
  return seen > known ? seen : known * shareKept + seen * (1 - shareKept)
}

/** What is called, and how. What brings code of its own, or several calls, says nothing of others. */
function functionOf(job: Job): string | undefined {
  if (job.kind === 'simulate') return undefined
  const { to, data, overrides = [] } = job.request
  if (to === undefined || overrides.length > 0) return undefined
  return `${job.kind} ${to} ${hexOf(data, 0, Math.min(selectorBytes, data.length))}`
}
