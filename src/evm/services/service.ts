import type { EVMResult, Message } from '@ethereumjs/evm'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'

/** A contract of the system. */
export interface Service {
  readonly name: string
  readonly run: (message: Message, evm: LedgerEvm) => Promise<EVMResult>
  /** Its functions, as Solidity writes them. */
  readonly signatures: readonly string[]
}

export const selectorBytes = 4
export const wordBytes = 32

/** A word that is a number. */
export function wordOf(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * wordBytes, '0'), 'hex')
}
