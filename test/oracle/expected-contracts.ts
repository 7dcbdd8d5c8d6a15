import { encodeAbiParameters, keccak256 } from 'viem'
import type { EthereumFacts } from '#src/simulator/ledger-change.ts'
import type { LedgerView } from '#src/simulator/ledger-view.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

/** The storage of each contract that has any, ascending by slot, as the API lists it. */
export function expectedStorage(view: LedgerView): Map<number, [slot: string, value: string][]> {
  const storage = new Map<number, [string, string][]>()
  for (const [key, { value }] of view.rows('contractSlots')) {
    const [contract = '', slot = ''] = key.split('/')
    const slots = storage.get(Number(contract)) ?? []
    storage.set(Number(contract), slots)
    slots.push([`0x${slot}`, word(value)])
  }
  for (const slots of storage.values()) slots.sort(([a], [b]) => (a < b ? -1 : 1))
  return storage
}

/** What each holder has of tokens that are contracts, by contract and then by the word that stands for the holder in logs. */
export function expectedContractTokens(view: LedgerView): Map<number, Map<string, bigint>> {
  const tokens = new Map<number, Map<string, bigint>>()
  for (const [key, { address, balance }] of view.rows('contractTokens')) {
    const contract = Number(key.split('/')[0])
    tokens.set(contract, (tokens.get(contract) ?? new Map()).set(word(address), balance))
  }
  return tokens
}

/** Where the code of the token keeps the balance of a holder: in the mapping of slot 0. */
export function balanceSlot(holder: string): string {
  const parameters = [{ type: 'bytes32' }, { type: 'uint256' }] as const
  return keccak256(encodeAbiParameters(parameters, [holder as `0x${string}`, 0n]))
}

/** What the API shows of a result that an Ethereum transaction has, as far as the transaction itself says it. */
export function expectedEthereum(hash: string, facts: EthereumFacts): Json {
  return {
    amount: facts.value,
    // A legacy transaction that names none is good for every chain.
    chain_id: facts.chainId === null ? '0x128' : `0x${facts.chainId.toString(16)}`,
    gas_limit: facts.gasLimit,
    hash: `0x${hash}`,
    nonce: facts.nonce,
    result: facts.result,
    type: facts.type,
    // Whose transaction it was is only known of those that ran.
    ...(facts.counted && { from: `0x${facts.sender.toString(16).padStart(40, '0')}` }),
  }
}

function word(digits: string): string {
  return `0x${digits.padStart(64, '0')}`
}
