import { custom, numberToHex, RpcRequestError } from 'viem'

// biome-ignore lint/suspicious/noExplicitAny: answers are handed on, and the clients check what comes of them
type Json = any

/** Sends a body to a path below /api/v1, or nothing to read it: status and answer. */
export type Send = (path: string, payload?: object) => Promise<[status: number, body: Json]>

export interface RelayRequest {
  readonly method: string
  readonly params?: unknown
}

const chainId = 298
/** What relays answer for a call that was reverted, with what it was reverted with. */
const revertedCode = 3
const defaultErrorCode = -32_603
const weibarsPerTinybar = 10_000_000_000n

/** What a JSON-RPC relay makes of reads and calls, as far as clients ask for it. Throws as clients expect it of a provider. */
export function callRelay(send: Send): (request: RelayRequest) => Promise<Json> {
  const methods: Readonly<Record<string, (...params: Json[]) => Promise<unknown>>> = {
    eth_chainId: async () => numberToHex(chainId),
    net_version: async () => String(chainId),
    eth_blockNumber: async () => {
      const [, { blocks }] = await send('/blocks?limit=1')
      return numberToHex(blocks[0].number)
    },
    eth_call: (call, block) => run(send, { ...bodyOf(call), block: blockOf(block), estimate: false }),
    eth_estimateGas: (call, block) => run(send, { ...bodyOf(call), block: blockOf(block), estimate: true }),
    eth_getCode: async (address) => {
      const [status, contract] = await send(`/contracts/${address}`)
      return status === 200 ? contract.runtime_bytecode : '0x'
    },
    debug_traceTransaction: (hash) => trace(send, hash),
  }
  return async ({ method, params }) => {
    const answer = methods[method]
    if (answer === undefined) throw new Error(`the relay of these tests knows no ${method}`)
    return answer(...((params ?? []) as Json[]))
  }
}

/** The same as a transport of viem. */
export function callTransport(send: Send) {
  return custom({ request: callRelay(send) })
}

function bodyOf({ from, to, data, input, gas, value }: Json) {
  return {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    data: data ?? input ?? '0x',
    ...(gas ? { gas: Number(gas) } : {}),
    ...(value ? { value: Number(BigInt(value) / weibarsPerTinybar) } : {}),
  }
}

function blockOf(block: Json): string {
  if (block === undefined) return 'latest'
  return typeof block === 'string' && block.startsWith('0x') ? String(BigInt(block)) : String(block)
}

async function run(send: Send, body: Json): Promise<unknown> {
  const [status, answer] = await send('/contracts/call', body)
  if (status === 200) return answer.result
  const [{ message, detail, data }] = answer._status.messages
  const isReverted = message === 'CONTRACT_REVERT_EXECUTED'
  const error = {
    code: isReverted ? revertedCode : defaultErrorCode,
    message: isReverted ? `execution reverted${detail ? `: ${detail}` : ''}` : `${message} ${detail}`,
    ...(isReverted ? { data } : {}),
  }
  throw new RpcRequestError({ body, error, url: 'relay' })
}

/** A tree of calls, as the tracer of that name tells it. */
async function trace(send: Send, hash: string): Promise<Json> {
  const [, { actions }] = await send(`/contracts/results/${hash}/actions?limit=100`)
  const open: Json[] = []
  for (const action of actions) {
    const { call_operation_type: type, from, to, input, result_data: output, call_depth: depth } = action
    const call = { type, from, to, input, output, gas: action.gas, gasUsed: action.gas_used, calls: [] }
    open.length = depth
    open.at(-1)?.calls.push(call)
    open.push(call)
  }
  return open[0]
}
