import { createHash, timingSafeEqual } from 'node:crypto'
import { LedgerError } from '#src/domain/errors.ts'
import type { ApiUser } from '#src/http/settings.ts'

const basicForm = /^Basic +([A-Za-z0-9+/_.~-]+=*) *$/i

/**
 * The user that Basic credentials belong to. Undefined for requests without credentials or with another scheme: these
 * are anonymous. Throws `invalid_credentials` for credentials that no user has.
 */
export function findUser(authorization: string | undefined, users: readonly ApiUser[]): ApiUser | undefined {
  const encoded = authorization === undefined ? undefined : basicForm.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon === -1) return undefined
  const user = users.find(({ username, password }) => equal(credentials, `${username}:${password}`))
  if (user === undefined) throw new LedgerError('invalid_credentials', 'Invalid credentials')
  return user
}

/** Compares digests, so that the time taken tells nothing about where two texts differ. */
function equal(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
