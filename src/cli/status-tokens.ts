import { readFileSync, statSync } from 'node:fs'
import type { Config } from '#src/config/schema.ts'
import { statusTokenForm, toStatusToken } from '#src/config/sections/status-token.ts'
import type { StatusToken } from '#src/http/settings.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface StatusTokensOptions {
  readonly status: Pick<Config['status'], 'tokens' | 'tokensFile'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number
}

/** How long a change of the file may go unnoticed. */
const lookEveryMs = 500
/** More would be another thing than a list of tokens. */
const fileBytesMax = 1 << 20

/**
 * Those who may write to the status page: as configured, and as a file says that is read again whenever it changes, so that
 * a token is given or taken back without a restart. A file that cannot be read lets nobody in.
 */
export class StatusTokens {
  readonly #configured: readonly StatusToken[]
  readonly #file: string | undefined
  readonly #logger: Logger
  readonly #now: () => number
  #read: readonly StatusToken[] = []
  #state = ''
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor({ status, logger, now }: StatusTokensOptions) {
    this.#configured = status.tokens
    this.#file = status.tokensFile ?? undefined
    this.#logger = logger
    this.#now = now ?? (() => performance.now())
  }

  /** Whether anybody may write, now or later. */
  get areConfigured(): boolean {
    return this.#configured.length > 0 || this.#file !== undefined
  }

  get current(): readonly StatusToken[] {
    if (this.#file !== undefined && this.#now() - this.#lookedAtMs >= lookEveryMs) this.#look(this.#file)
    return this.#read.length === 0 ? this.#configured : [...this.#configured, ...this.#read]
  }

  #look(file: string): void {
    this.#lookedAtMs = this.#now()
    try {
      const { mtimeNs, ino, size } = statSync(file, { bigint: true })
      const state = `${ino} ${size} ${mtimeNs}`
      if (state === this.#state) return
      if (size > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`)
      this.#read = this.#parse(readFileSync(file, 'utf8'))
      this.#state = state
      this.#logger.info({ file, tokens: this.#read.length }, 'tokens of the status page read')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (this.#state !== reason)
        this.#logger.error(
          { file, reason },
          'the file of tokens cannot be read, so it lets nobody write to the status page',
        )
      this.#read = []
      this.#state = reason
    }
  }

  #parse(text: string): StatusToken[] {
    return text.split('\n').flatMap((line, index) => {
      const entry = line.trim()
      if (entry === '' || entry.startsWith('#')) return []
      const token = toStatusToken(entry)
      // The entry itself is not repeated: it may be a token that somebody has put there as it is.
      if (token === undefined)
        this.#logger.error(
          { line: index + 1 },
          `a line of the file of tokens is not ${statusTokenForm}, and passed over`,
        )
      return token ?? []
    })
  }
}
