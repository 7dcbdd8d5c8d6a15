import { BrowserProvider, Contract } from 'ethers'
import { BaseError, ContractFunctionRevertedError, createPublicClient, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openSimulatedLedger, type SimulatedLedger } from '#test/oracle/simulated-ledger.ts'
import { callRelay, callTransport, type Send } from '#test/support/call-relay.ts'

const timeoutMs = 180_000
const tokenAbi = [
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'error InsufficientBalance(address owner, uint256 balance, uint256 needed)',
] as const
const abi = parseAbi(tokenAbi)
const facade = parseAbi(['function name() view returns (string)', 'function totalSupply() view returns (uint256)'])
const tooMuch = 10n ** 30n

describe('what clients read through a relay', () => {
  let ledger: SimulatedLedger
  let send: Send
  let token: { readonly address: Hex; readonly holder: Hex; readonly balance: bigint }
  let multicall: Hex
  let called: Hex

  const client = () => createPublicClient({ transport: callTransport(send) })

  beforeAll(async () => {
    const weights = {
      contractCall: 10,
      ethereumCall: 6,
      fieldContract: 6,
      contractCreate: 3,
      tokenCreate: 1,
      cryptoCreate: 1,
    }
    const mix = { weights, failureShare: 0, duplicateShare: 0, showEachKind: true }
    ledger = await openSimulatedLedger({ mix, seed: 'clients', nodes: 1, accounts: 40, transactionsPerSecond: 20 }, 6)
    send = async (path, payload) => {
      if (payload !== undefined) return ledger.post(path, payload)
      return [200, await ledger.ask(path)]
    }
    token = richestHolder(ledger)
    multicall = await multicallOf(ledger)
    called = await nestedCall(ledger)
  }, timeoutMs)
  afterAll(() => ledger.close())

  it('with viem: an ERC-20 by its contract, one by one and several in one call', async () => {
    const { address, holder, balance } = token
    const read = { address, abi } as const
    expect(await client().readContract({ ...read, functionName: 'balanceOf', args: [holder] })).toBe(balance)
    const both = await client().multicall({
      multicallAddress: multicall,
      allowFailure: true,
      contracts: [
        { ...read, functionName: 'balanceOf', args: [holder] },
        { ...read, functionName: 'totalSupply' },
      ],
    })
    const supply = await client().readContract({ ...read, functionName: 'totalSupply' })
    expect(both.map(({ result }) => result)).toEqual([balance, supply])
  })

  it('with viem: a token of the ledger by its facade', async () => {
    const { id, name, supply } = someToken(ledger)
    const read = { address: getAddress(`0x${id.toString(16).padStart(40, '0')}`), abi: facade } as const
    expect(await client().readContract({ ...read, functionName: 'name' })).toBe(name)
    expect(await client().readContract({ ...read, functionName: 'totalSupply' })).toBe(supply)
  })

  it('with viem: what a call would do, why it would not, and what it costs', async () => {
    const { address, holder } = token
    const call = { address, abi, functionName: 'transfer', account: holder } as const
    const { result } = await client().simulateContract({ ...call, args: [multicall, 1n] })
    expect(result).toBe(true)
    const refused = await client()
      .simulateContract({ ...call, args: [multicall, tooMuch] })
      .catch((error: unknown) => error)
    const reverted =
      refused instanceof BaseError && refused.walk((each) => each instanceof ContractFunctionRevertedError)
    expect(reverted).toMatchObject({
      data: { errorName: 'InsufficientBalance', args: [getAddress(holder), token.balance, tooMuch] },
    })
    const gas = await client().estimateContractGas({ ...call, args: [multicall, 1n] })
    expect(gas > 30_000n && gas < 80_000n).toBe(true)
  })

  it('with viem: the calls of a transaction as a tree', async () => {
    const request = client().request as (asked: { method: string; params: unknown[] }) => Promise<Json>
    const tree = await request({ method: 'debug_traceTransaction', params: [called, { tracer: 'callTracer' }] })
    expect(tree).toMatchObject({
      type: 'CALL',
      calls: expect.arrayContaining([expect.objectContaining({ calls: [] })]),
    })
  })

  it('with ethers: the same token, its refusal and its gas', async () => {
    const { address, holder, balance } = token
    const provider = new BrowserProvider({ request: callRelay(send) })
    const contract = new Contract(address, tokenAbi, provider) as Json
    expect(await contract.balanceOf(holder)).toBe(balance)
    expect(await contract.transfer.staticCall(multicall, 1n, { from: holder })).toBe(true)
    const refused = await contract.transfer
      .staticCall(multicall, tooMuch, { from: holder })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ revert: { name: 'InsufficientBalance' } })
    expect((await contract.transfer.estimateGas(multicall, 1n, { from: holder })) > 30_000n).toBe(true)
    provider.destroy()
  })
})

/** Who has most of a token that is a contract, of those whom the ledger knows by an account. */
function richestHolder({ history }: SimulatedLedger) {
  const [key, { address, balance }] = [...history.now().rows('contractTokens')]
    .filter(([key]) => history.now().entity(Number(key.split('/')[1]))?.type === 'ACCOUNT')
    .toSorted(([, a], [, b]) => (a.balance > b.balance ? -1 : 1))[0]!
  const contract = history.now().entity(Number(key.split('/')[0]))
  return { address: `0x${contract?.evmAddress}` as Hex, holder: `0x${address}` as Hex, balance }
}

function someToken({ history }: SimulatedLedger) {
  const [key, { name, supply }] = [...history.now().rows('tokens')].find(([, { nft }]) => !nft)!
  return { id: BigInt(key), name, supply }
}

/** The contract that makes several calls in one: it knows no other function. */
async function multicallOf(ledger: SimulatedLedger): Promise<Hex> {
  for (const { contract_id: id, evm_address: address } of await ledger.list('/contracts?limit=100', 'contracts')) {
    const { runtime_bytecode: code } = await ledger.ask(`/contracts/${id}`)
    if (code.includes('82ad56cb')) return address
  }
  throw new Error('the ledger has no multicall')
}

/** A transaction in which a contract called another. */
async function nestedCall(ledger: SimulatedLedger): Promise<Hex> {
  for (const { hash } of await ledger.list('/contracts/results?limit=100', 'results')) {
    const { actions } = await ledger.ask(`/contracts/results/${hash}/actions?limit=100`)
    if (actions.length > 1) return hash
  }
  throw new Error('no contract called another')
}
