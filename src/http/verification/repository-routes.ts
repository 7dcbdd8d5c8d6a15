import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { SourceExplorers } from '#src/ports/source-explorer.ts'

export interface RepositoryRoutesOptions {
  readonly verifier: Verifier
  readonly reads: ServedReads
  readonly contents: Pick<ContentStore, 'get'>
  readonly explorers: Pick<SourceExplorers, 'has'>
  readonly settings: VerificationHttpSettings
  readonly limit: onRequestAsyncHookHandler
}

export function addRepositoryRoutes(
  _scope: FastifyInstance,
  _prefix: string,
  _options: RepositoryRoutesOptions,
): void {}
