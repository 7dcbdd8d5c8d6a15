import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ContractCodes } from '#commands/verification/contract-codes.ts'
import type { ExplorerSettings } from '#src/adapters/explorers/explorers.ts'
import { simulatedHost } from '#src/cli/roles/simulated-block-nodes.ts'
import { parseEvmAddress } from '#src/domain/verification/checksum-address.ts'
import { isVerificationProblem } from '#src/domain/verification/problem.ts'
import type { Logger } from '#src/ports/logger.ts'
import { explorerAnswer } from '#src/simulator/explorer/published-contracts.ts'

export interface SimulatedExplorer {
  readonly settings: ExplorerSettings
  close(): Promise<void>
}

export interface SimulatedExplorerOptions {
  readonly chain: string
  readonly codes: ContractCodes
  readonly logger: Logger
}

/** The explorer of a simulated network: it publishes the sources of the contracts that the network made, on this machine alone. */
export async function serveSimulatedExplorer({
  chain,
  codes,
  logger,
}: SimulatedExplorerOptions): Promise<SimulatedExplorer> {
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const digits = parseEvmAddress(new URL(request.url ?? '/', 'http://explorer').searchParams.get('address') ?? '')
    runtimeOf(codes, chain, digits).then(
      (runtime) => send(200, explorerAnswer(runtime)),
      (error: unknown) => {
        logger.warn({ err: error }, 'the simulated explorer cannot answer')
        send(503, { status: '0', message: 'NOTOK', result: 'The read models cannot be read' })
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, simulatedHost, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    settings: { chain, type: 'blockscout', url: `http://${simulatedHost}:${port}`, local: true },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function runtimeOf(
  codes: ContractCodes,
  chain: string,
  digits: string | undefined,
): Promise<Uint8Array | undefined> {
  if (digits === undefined) return undefined
  try {
    return (await codes.find(chain, { kind: 'address', digits })).code.runtime
  } catch (error) {
    if (isVerificationProblem(error, 'contract_not_known')) return undefined
    throw error
  }
}
