import { VerificationService } from '#commands/verification/verification-service.ts'
import { findOpenRequests } from '#queries/verification/find-verified.ts'
import { openExplorers } from '#src/adapters/explorers/explorers.ts'
import { openCompilers } from '#src/adapters/solc/compilers.ts'
import { chainIdOf } from '#src/cli/chain-id.ts'
import { compilerLimits } from '#src/cli/compiler-limits.ts'
import { compilersFolder } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import { serveSimulatedExplorer } from '#src/cli/roles/simulated-explorer.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { VerificationHttpOptions } from '#src/http/verification/add-verification.ts'
import { ServedReads } from '#src/http/verification/served-reads.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import { rest, systemClock } from '#src/ports/clock.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'

export interface ServedVerification {
  readonly http: Omit<VerificationHttpOptions, 'clock' | 'logger'>
  /** Goes on with what others left open, until the signal. */
  keep(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const bytesPerMiB = 1 << 20
const lookEveryMs = 5_000
/** Left open by others, at one look. */
const openMax = 100

/** What verifies contracts in a serving process; undefined where nothing does. */
export async function serveVerification(
  context: RoleContext,
  deployment: ServingDeployment,
): Promise<ServedVerification | undefined> {
  const { config, folder, logger, share } = context
  const { verification: settings } = config
  if (!settings.enabled) return undefined
  const ended = new AbortController()
  const store = await enginesOf(config, folder, logger).openDecisions()
  const contents = openedContents(deployment)
  const compilers = openCompilers({ folder: compilersFolder(config), limits: compilerLimits(settings) })
  const { explorerTimeoutMs: timeoutMs, explorerMaxMiB, apiKey, atOnceMax, takeOverMs } = settings
  const reads = new ServedReads(deployment.models)
  const http = httpSettings(context)
  // A simulated network has an explorer, too: it knows what the network's contracts were made of.
  const isSimulated = config.source.location === 'simulated'
  const simulated = isSimulated
    ? await serveSimulatedExplorer({ chain: http.chainId, codes: reads, logger })
    : undefined
  const explorers = openExplorers({
    explorers: [...settings.explorers, ...(simulated === undefined ? [] : [simulated.settings])],
    apiKey: apiKey ?? undefined,
    timeoutMs,
    bytesMax: explorerMaxMiB * bytesPerMiB,
  })
  const service = new VerificationService({
    store,
    contents,
    explorers,
    codes: reads,
    verify: (input, code, signal) => verifyContract(input, code, compilers, signal),
    clock: systemClock,
    logger,
    atOnceMax,
    takeOverMs,
    signal: ended.signal,
  })
  const control = () => deployment.stores?.controlStore
  return {
    http: { service, explorers, reads, contents, control, verification: http },
    async keep(signal) {
      // Of the threads of a process one is enough.
      if (share !== undefined && share.thread !== 1) return
      await goOn({ service, reads }, context, signal)
    },
    async close() {
      ended.abort(new LedgerError('interrupted', 'This process ends; another one goes on'))
      await simulated?.close()
      await compilers.close()
      await store.close()
    },
  }
}

interface Resuming {
  readonly service: VerificationService
  readonly reads: ServedReads
}

/** What a process that was killed left open comes to its end all the same. */
async function goOn({ service, reads }: Resuming, { logger }: RoleContext, signal: AbortSignal): Promise<void> {
  const followed = new Set<string>()
  while (!signal.aborted) {
    try {
      const open = await reads.verified((rows) => findOpenRequests(rows, openMax))
      for (const { id, chain, entity } of open.filter((each) => !followed.has(each.id))) {
        followed.add(id)
        service
          .resume({ chain, entity }, id)
          .catch((error: unknown) => {
            if (!signal.aborted)
              logger.warn({ err: error, request: id }, 'a verification that was left open stopped again')
          })
          .finally(() => followed.delete(id))
      }
    } catch (error) {
      // The read model may be away or not there yet; it is looked at again.
      logger.debug({ err: error }, 'open verifications are not known')
    }
    await rest(lookEveryMs, signal)
  }
}

function httpSettings({ config, folder }: RoleContext): VerificationHttpSettings {
  const { verification, api } = config
  const network = config.network ?? folder.marker.network
  const { prefix, origins, secureCookies, requestsPerSecond, waitMs } = verification
  return {
    ...{ prefix, origins, secureCookies, requestsPerSecond, waitMs },
    chainId: String(chainIdOf(api.chainId, network)),
    network: network ?? 'unknown',
    sessionTtlMs: 12 * 3_600_000,
    sessionBytesMax: 50 * bytesPerMiB,
    trustedProxies: api.trustedProxies,
  }
}

/** The stores of a deployment are opened after its server is. */
function openedContents(deployment: ServingDeployment): ContentStore {
  const opened = (): ContentStore => {
    const contents = deployment.stores?.contentStore
    if (contents === undefined) throw new LedgerError('store_unavailable', 'The stores are not open yet; try again')
    return contents
  }
  return {
    put: async (texts) => opened().put(texts),
    get: async (hashes) => opened().get(hashes),
    close: async () => undefined,
  }
}
