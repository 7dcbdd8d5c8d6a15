import type { EVMResult, Message } from '@ethereumjs/evm'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'

/** A contract of the system. */
export interface Service {
  readonly name: string
  readonly run: (message: Message, evm: LedgerEvm) => Promise<EVMResult>
  readonly functions: readonly FunctionHead[]
}

/** What is told of a function. */
export interface FunctionHead {
  /** With its types by the names that they have here. */
  readonly named: string
  /** 8 hex digits. */
  readonly selector: string
  readonly returns: string
  readonly access: 'view' | 'change'
  /** It is there only at the address of an entity. */
  readonly isFacade?: boolean
}

export const selectorBytes = 4
export const wordBytes = 32

/** A word that is a number. */
export function wordOf(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * wordBytes, '0'), 'hex')
}
