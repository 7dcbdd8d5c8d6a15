import { availableParallelism } from 'node:os'
import { assertPortIsFree, canSharePort, claimPort } from '#src/cli/port.ts'
import type { MemberOptions, RolePool } from '#src/cli/role-pool.ts'
import type { ReadyReport } from '#src/cli/roles/role.ts'
import type { Config } from '#src/config/schema.ts'
import { servingCounts } from '#src/http/serving-counts.ts'
import type { Logger } from '#src/ports/logger.ts'

/** More need memory for a heap each, and reach the store or the network card before they reach as much again. */
const threadsMax = 8

/** How many threads answer requests where nothing else runs in the process and the configuration leaves it open. */
export function threadsByDefault(cores = availableParallelism()): number {
  return Math.min(threadsMax, Math.max(1, cores))
}

/**
 * How many threads are to answer, once nobody else does so on the address; from then on none of these processes can. Throws
 * `port_taken` otherwise.
 */
export async function threadsToServe(
  { api, host, port }: Pick<Config, 'api' | 'host' | 'port'>,
  logger: Logger,
  byDefault: number,
): Promise<number> {
  const threads = api.threads === 0 ? byDefault : api.threads
  const isShared = threads > 1 && (await canSharePort(host))
  if (port !== 0) await (isShared ? claimPort(host, port) : assertPortIsFree(host, port))
  if (isShared) return threads
  if (api.threads > 1)
    logger.warn({ asked: threads, threads: 1 }, 'threads cannot share a port on this system, so one answers')
  return 1
}

export interface ServingOptions extends Pick<MemberOptions, 'isWhole'> {
  readonly config: Config
  readonly threads: number
}

/**
 * Starts threads that answer requests on one address, and tells which. The system deals out connections among them. One that
 * dies of memory takes its requests with it, and another one answers in its place.
 */
export async function startServing(
  pool: RolePool,
  { config, threads, isWhole = false }: ServingOptions,
): Promise<string | undefined> {
  const counts = servingCounts(threads)
  const shared = { ...config, memory: shareOf(config.memory, threads) }
  const start = async (thread: number, port: number): Promise<string | undefined> => {
    const own = { ...shared, port }
    const name = threads === 1 ? 'serve' : `serve-${thread}`
    const share = { thread, threads, counts }
    const revive = ({ url }: ReadyReport) => ({ config: { ...own, port: portOf(url) ?? port } })
    return (await pool.start('serve', { thread: name, config: own, isWhole, share, revive }))?.url
  }
  const further = Array.from({ length: threads - 1 }, (_, index) => index + 2)
  if (config.port !== 0) return (await Promise.all([1, ...further].map((thread) => start(thread, config.port))))[0]
  const url = await start(1, 0)
  await Promise.all(further.map((thread) => start(thread, portOf(url) ?? 0)))
  return url
}

function portOf(url: string | undefined): number | undefined {
  return url === undefined ? undefined : Number(new URL(url).port)
}

/** The memory of the process is the same however many threads share it. */
function shareOf(memory: Config['memory'], threads: number): Config['memory'] {
  return { ...memory, answersMiB: memory.answersMiB / threads, readersMiB: memory.readersMiB / threads }
}
