import { afterEach } from 'vitest'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { type BlockNodeOptions, blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { BlockNode, BlockNodeEndpoint } from '#src/ports/block-node.ts'
import { type ServeBlocksOptions, type ServedBlocks, serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'

export const host = '127.0.0.1'

export function endpoint(port: number, tls = false): BlockNodeEndpoint {
  return { host, port, tls }
}

/** Opens clients and nodes that end with each test. */
export function useBlockNodes() {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close()
  })
  const keep = <T extends { close(): Promise<void> }>(each: T): T => {
    opened.push(each)
    return each
  }
  return {
    keep,
    serve: async (options: Omit<ServeBlocksOptions, 'host' | 'port'>): Promise<ServedBlocks> =>
      keep(await serveBlocks({ host, port: 0, ...options })),
    open: async (port: number, options: Partial<BlockNodeOptions> = {}, tls = false): Promise<BlockNode> => {
      const open = await loadBlockNodeClient({ ...blockNodeDefaults, statusTimeoutMs: 5_000, ...options })
      const both = endpoint(port, tls)
      return keep(open({ status: both, stream: both }))
    },
  }
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

/** The error of something that has to fail because of a node. */
export async function failureOf(failing: Promise<unknown>): Promise<LedgerError> {
  const outcome = await failing.then(
    (value) => new Error(`it did not fail but gave ${String(value)}`),
    (error: unknown) => error,
  )
  if (isLedgerError(outcome, 'source_unavailable')) return outcome
  throw outcome
}
