import type { ContractCodes, ContractReference, FoundContract } from '#commands/verification/contract-codes.ts'
import { findContractCode } from '#queries/verification/find-code.ts'
import { type CodeRows, codeReads, type VerifiedRows, verifiedReads } from '#queries/verification/reads.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { rest } from '#src/ports/clock.ts'
import type { DecisionPosition } from '#src/ports/decision-store.ts'
import type { ModelSet } from '#src/runtime/serve/model-set.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

const codeChoices = [codeReads]
const verifiedChoices = [verifiedReads]
const pollMs = 10

/** Code of contracts and what is verified, from the read models that serve, at the instant that the API answers as of. */
export class ServedReads implements ContractCodes {
  readonly #models: ModelSource

  constructor(models: ModelSource) {
    this.#models = models
  }

  find(chain: string, reference: ContractReference): Promise<FoundContract> {
    return this.#models.use(codeChoices, async (set) => {
      const { bound, boundText } = await set.state()
      // Each reader is of the read model whose schema has its name.
      const rows = Object.fromEntries(
        set.models.map(({ name, reader }) => [name, rowsAt(codeReads[name as keyof CodeRows], reader, bound.time)]),
      ) as unknown as CodeRows
      const found = await findContractCode(rows, { chain, reference, time: bound.time })
      if (found === undefined) throw notKnown(reference, boundText)
      return found
    })
  }

  verified<T>(read: (rows: VerifiedRows) => Promise<T>): Promise<T> {
    return this.#models.use(verifiedChoices, async (set) => read(verifiedRows(set)))
  }

  /** Until a decision shows, or so long. */
  async shows(position: DecisionPosition, longestMs: number): Promise<void> {
    const until = performance.now() + longestMs
    while (performance.now() < until) {
      const shown = await this.#models.use(verifiedChoices, async (set) => (await set.state()).bound.position)
      if (shown >= position) return
      await rest(pollMs)
    }
  }
}

function verifiedRows({ models }: ModelSet): VerifiedRows {
  return rowsAt(verifiedReads.verification, models[0]!.reader, 0n)
}

function notKnown(reference: ContractReference, reached: string): VerificationProblem {
  const name = reference.kind === 'entity' ? reference.id : checksumAddress(reference.digits)
  const message = `There is no contract ${name} as of consensus time ${reached}, which the read models have reached`
  return new VerificationProblem('contract_not_known', message, { reached })
}
