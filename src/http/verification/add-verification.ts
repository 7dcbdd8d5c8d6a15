import type { FastifyInstance } from 'fastify'
import type { VerificationService } from '#commands/verification/verification-service.ts'
import { createClientOf } from '#src/http/client-address.ts'
import { addCallerRoutes } from '#src/http/verification/caller-routes.ts'
import { addJobRoutes } from '#src/http/verification/job-routes.ts'
import { addRepositoryRoutes } from '#src/http/verification/repository-routes.ts'
import { RequestRate } from '#src/http/verification/request-rate.ts'
import { limitRequests, prepareScope } from '#src/http/verification/scope.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import { addSessionRoutes } from '#src/http/verification/session-routes.ts'
import { Sessions } from '#src/http/verification/sessions.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import { Verifier } from '#src/http/verification/verifier.ts'
import { addVerifyRoutes } from '#src/http/verification/verify-routes.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { SourceExplorers } from '#src/ports/source-explorer.ts'

export interface VerificationHttpOptions {
  readonly service: Pick<VerificationService, 'request' | 'stateOf' | 'tryOut'>
  readonly explorers: Pick<SourceExplorers, 'has'>
  readonly reads: ServedReads
  readonly contents: Pick<ContentStore, 'get'>
  /** undefined while it is not open. */
  readonly control: () => ControlStore | undefined
  readonly verification: VerificationHttpSettings
  readonly clock: Clock
  readonly logger: Logger
}

/** The verification of contracts: at the root, and below the prefix that its clients may be set to. */
export function addVerification(app: FastifyInstance, options: VerificationHttpOptions): void {
  const { service, explorers, reads, contents, control, verification: settings, clock, logger } = options
  const { chainId, waitMs, sessionTtlMs: ttlMs, sessionBytesMax: bytesMax } = settings
  const verifier = new Verifier({ service, explorers, reads, chainId, waitMs })
  const sessions = new Sessions({ control, clock, ttlMs, bytesMax })
  const rate = new RequestRate(settings.requestsPerSecond, clock.now)
  const limit = limitRequests({ rate, clientOf: createClientOf(settings.trustedProxies) })
  app.register(async (scope) => {
    prepareScope(scope, logger)
    for (const prefix of new Set(['', settings.prefix])) {
      addVerifyRoutes(scope, prefix, { verifier, limit })
      addSessionRoutes(scope, prefix, { verifier, sessions, settings, limit })
      addCallerRoutes(scope, prefix, { verifier, limit })
      addJobRoutes(scope, prefix, { verifier, service, reads, contents, limit, logger })
      addRepositoryRoutes(scope, prefix, { verifier, reads, contents, explorers, settings, limit })
    }
  })
}
