import { createPublicClient, custom, type Hex, numberToHex, type RpcLog, type RpcTransactionReceipt, toHex } from 'viem'
import { bloomBytes } from '#src/domain/log-bloom.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are handed on, and viem checks what comes of them
type Json = any

/** An answer of the REST API below /api/v1, or of an address that `links.next` gives; undefined for what there is not. */
export type Ask = (path: string) => Promise<Json>

const weibarsPerTinybar = 10_000_000_000n
const emptyBloom: Hex = `0x${'00'.repeat(bloomBytes)}`
/** Hashes of blocks have 48 bytes on the ledger, and 32 in the EVM. */
const evmHashDigits = 2 + 64

/** What a JSON-RPC relay makes of our answers, field by field, as viem asks for it. */
export function relayTo(ask: Ask) {
  const methods: Readonly<Record<string, (...params: Json[]) => Promise<unknown>>> = {
    eth_getLogs: (filter) => getLogs(ask, filter),
    eth_getTransactionReceipt: (hash) => getReceipt(ask, hash),
  }
  const request = ({ method, params }: { method: string; params?: unknown }) => {
    const answer = methods[method]
    if (answer === undefined) throw new Error(`the relay of these tests knows no ${method}`)
    return answer(...((params ?? []) as Json[]))
  }
  return createPublicClient({ transport: custom({ request }) })
}

async function getLogs(ask: Ask, { address, topics = [], fromBlock, toBlock, blockHash }: Json): Promise<RpcLog[]> {
  const [first, last] = await Promise.all([
    ask(`/blocks/${blockHash ?? BigInt(fromBlock)}`),
    ask(`/blocks/${blockHash ?? BigInt(toBlock)}`),
  ])
  const window = `timestamp=gte:${first.timestamp.from}&timestamp=lte:${last.timestamp.to}&order=asc`
  const wanted = topics.flatMap((topic: Hex | Hex[] | null, at: number) =>
    [topic ?? []].flat().map((each) => `&topic${at}=${each}`),
  )
  const path = address === undefined ? '/contracts/results/logs' : `/contracts/${address}/results/logs`
  const logs: RpcLog[] = []
  for (let next: string | null = `${path}?${window}${wanted.join('')}`; next !== null; ) {
    const page = await ask(next)
    logs.push(...page.logs.map(logOf))
    next = page.links.next
  }
  return logs
}

/** Numbers are in hex, and nothing is ever taken back. */
function logOf(log: Json): RpcLog {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: log.block_hash.slice(0, evmHashDigits),
    blockNumber: numberToHex(log.block_number),
    transactionHash: log.transaction_hash,
    transactionIndex: numberToHex(log.transaction_index),
    logIndex: numberToHex(log.index),
    removed: false,
  }
}

async function getReceipt(ask: Ask, hash: Hex): Promise<RpcTransactionReceipt | null> {
  const result = await ask(`/contracts/results/${hash}?hbar=false`)
  if (result === undefined) return null
  const place = {
    block_hash: result.block_hash,
    block_number: result.block_number,
    transaction_hash: result.hash,
    transaction_index: result.transaction_index,
  }
  const creates = result.created_contract_ids.includes(result.contract_id)
  return {
    blockHash: result.block_hash.slice(0, evmHashDigits),
    blockNumber: numberToHex(result.block_number),
    contractAddress: creates ? result.address : null,
    // Relays give what the whole block used: order within a block has no price here.
    cumulativeGasUsed: toHex(result.block_gas_used),
    effectiveGasPrice: await gasPriceAt(ask, result.timestamp),
    from: (await ask(`/accounts/${result.from}?transactions=false`)).evm_address,
    // What never ran in the EVM used none.
    gasUsed: toHex(result.gas_used ?? 0),
    logs: result.logs.map((log: Json) => logOf({ ...log, ...place })),
    logsBloom: result.bloom === '0x' ? emptyBloom : result.bloom,
    status: result.status,
    to: creates ? null : (result.address ?? result.to),
    transactionHash: result.hash,
    transactionIndex: numberToHex(result.transaction_index),
    type: toHex(result.type ?? 0),
  }
}

/** What everybody paid then: the ledger charges its own price, whatever was offered. */
async function gasPriceAt(ask: Ask, time: string): Promise<Hex> {
  const { fees } = await ask(`/network/fees?timestamp=${time}`)
  const call = fees.find((fee: Json) => fee.transaction_type === 'ContractCall')
  return toHex(BigInt(call.gas) * weibarsPerTinybar)
}
