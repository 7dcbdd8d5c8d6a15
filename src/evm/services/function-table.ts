import { hexOf } from '#src/domain/bytes.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { type AbiNames, type AbiTuple, type AbiValue, expandNames, parseTuple } from '#src/evm/abi/types.ts'
import type { ScheduledFacts } from '#src/evm/schedule-facts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import type { FailureShape } from '#src/evm/services/failed.ts'
import { selectorBytes } from '#src/evm/services/service.ts'

type Handler = (call: ServiceCall) => Promise<readonly AbiValue[]>

/** One function of a service: the next one is one entry more. Types may be named. */
export interface FunctionEntry {
  /** As Solidity writes it. */
  readonly signature: string
  /** What it returns, as a tuple. */
  readonly returns: string
  readonly access: 'view' | 'change'
  /** USD, or what it costs by what is asked; views cost what a query does. */
  readonly price?: number | ((call: ServiceCall) => number)
  readonly failure: FailureShape
  /** It is there only at the address of an entity. */
  readonly isFacade?: boolean
  /** It may be sent hbar. */
  readonly isPayable?: boolean
  /** A failure costs nothing where nothing may change. */
  readonly failsFreeInStatic?: boolean
  /** What it would be as the transaction of a schedule; undefined where it can't be scheduled. */
  readonly scheduled?: (call: ServiceCall) => Promise<ScheduledFacts>
  readonly run: Handler
}

export interface ServiceFunction extends FunctionEntry {
  readonly inputs: AbiTuple
  readonly outputs: AbiTuple
}

/** Functions by selector, 8 hex digits. */
export type FunctionTable = ReadonlyMap<string, ServiceFunction>

export function functionTable(names: AbiNames, entries: readonly FunctionEntry[]): FunctionTable {
  return new Map(
    entries.map((entry) => {
      const signature = expandNames(entry.signature, names)
      const inputs = parseTuple(signature.slice(signature.indexOf('(')))
      const outputs = parseTuple(expandNames(entry.returns, names))
      return [selectorOf(signature), { ...entry, signature, inputs, outputs }]
    }),
  )
}

function selectorOf(signature: string): string {
  return hexOf(keccak256(Buffer.from(signature)), 0, selectorBytes)
}

/** What a handler returns where its entity has no such function: nothing is done, and nothing charged. */
export const noSuchCall: readonly AbiValue[] = []

/** A function that only looks. */
export function view(
  signature: string,
  returns: string,
  run: Handler,
  options: Partial<FunctionEntry> = {},
): FunctionEntry {
  return { signature, returns, access: 'view', failure: 'told', run, ...options }
}

/** A function that changes the ledger of the simulation. */
export function change(
  signature: string,
  returns: string,
  price: NonNullable<FunctionEntry['price']>,
  run: Handler,
  options: Partial<FunctionEntry> = {},
): FunctionEntry {
  return { signature, returns, access: 'change', price, failure: 'told', run, ...options }
}
