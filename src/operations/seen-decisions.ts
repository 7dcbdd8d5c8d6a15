import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { membersOf } from '#src/operations/parsed-document.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import { forgetSeen } from '#src/operations/seen-log.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { SeenDecision } from '#src/ports/decision-store.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface SeenDecisionsOptions {
  /** undefined while the store is not open. */
  readonly control: () => ControlStore | undefined
  /** What the read model that serves was made from last; undefined where it cannot tell. */
  readonly shown: () => Promise<SeenDecision | undefined>
  readonly logger: Logger
}

const documentName = 'decisions'

/**
 * The newest decision that the processes of a deployment have seen, beside the plan, and the one that its read model was made
 * from. While these cannot be asked, commands go on without them: a page has to be written to while all else is away.
 */
export class DeploymentDecisions {
  readonly #options: SeenDecisionsOptions
  #isAway = false

  constructor(options: SeenDecisionsOptions) {
    this.#options = options
  }

  async heads(): Promise<readonly SeenDecision[]> {
    const { control, shown } = this.#options
    const all = await Promise.all([this.#unlessAway(() => readSeenDecision(control())), this.#unlessAway(shown)])
    return all.filter((head) => head !== undefined)
  }

  async remember(newest: SeenDecision): Promise<void> {
    await this.#unlessAway(async () => {
      const store = this.#options.control()
      const document = await store?.get(documentName)
      const known = document && seenFrom(document.text)
      // Whoever is faster remembers at least as much, or is corrected by the next command.
      if (known === undefined || known.position < newest.position)
        await store?.put(documentName, JSON.stringify(newest), document?.revision ?? 0)
    })
  }

  async #unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask()
      this.#isAway = false
      return answer
    } catch (error) {
      if (!isLedgerError(error) || errorCatalogue[error.code].disposition !== 'retry') throw error
      if (!this.#isAway)
        this.#options.logger.warn({ err: error }, 'decisions are not held against what was seen of them')
      this.#isAway = true
      return undefined
    }
  }
}

/** What was remembered last; undefined where nobody has seen a decision, or the store is not open. */
export async function readSeenDecision(control: ControlStore | undefined): Promise<SeenDecision | undefined> {
  const document = await control?.get(documentName)
  return document && seenFrom(document.text)
}

/** From now on the decisions are those that are there: what was seen besides is given up. */
export async function giveUpLostDecisions(control: ControlStore, newest: SeenDecision | undefined): Promise<void> {
  await control.remove(documentName)
  await forgetSeen(control, decisionsGeneration)
  if (newest !== undefined) await control.put(documentName, JSON.stringify(newest), 0)
}

function seenFrom(text: string): SeenDecision | undefined {
  const { position, stream, revision, digest } = membersOf<SeenDecision>(text)
  if (typeof position !== 'number' || typeof revision !== 'number') return undefined
  if (typeof stream !== 'string' || typeof digest !== 'string') return undefined
  return { position, stream, revision, digest }
}
