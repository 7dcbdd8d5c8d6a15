import { gunzipSync, gzipSync } from 'node:zlib'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { ContentHash } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** Not below the sessions, of which lists are made. */
const prefix = 'verification-text/'

/** Texts of a session's files, each a document of its own: they are nobody else's, and gone with the session. */
export class SessionTexts {
  readonly #control: () => ControlStore

  constructor(control: () => ControlStore) {
    this.#control = control
  }

  async put(session: string, texts: ReadonlyMap<ContentHash, string>): Promise<void> {
    for (const [hash, text] of texts) {
      const packed = gzipSync(text).toString('base64')
      // A request that came before may have written it, and nothing more.
      await this.#control().put(nameOf(session, hash), JSON.stringify(packed), 0)
    }
  }

  async get(session: string, hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    const texts = new Map<ContentHash, string>()
    for (const hash of new Set(hashes)) {
      const document = await this.#control().get(nameOf(session, hash))
      if (document === undefined)
        throw new VerificationProblem('invalid_input', 'The session was cleared meanwhile; send its files again')
      const packed = JSON.parse(document.text) as string
      texts.set(hash, gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'))
    }
    return texts
  }

  async remove(session: string, hashes: readonly ContentHash[]): Promise<void> {
    for (const hash of hashes) await this.#control().remove(nameOf(session, hash))
  }
}

function nameOf(session: string, hash: ContentHash): string {
  return `${prefix}${session.slice(session.lastIndexOf('/') + 1)}/${hash}`
}
