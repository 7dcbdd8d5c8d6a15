/**
 * Init code that a contract may have been created with, and how far it can be believed.
 *
 * - `init-code`: came with the ContractCreate that made this very contract, its constructor's arguments behind it.
 * - `ethereum-transaction`: call data of an Ethereum transaction without receiver, which made this very contract. The call data of a
 *   call to another contract, which read models show of what it made, proves nothing and is not to be given.
 * - `file`: what the file held at the creation, as bytes (`codeOfFile` makes them of its text); the arguments came with the transaction.
 * - `factory`: init code of a creation inside the EVM, as an action or sidecar tells it.
 * - `within-factory`: code of the contract or creation that made this one, somewhere inside of which its init code is, without
 *   arguments. It never counts for more than the runtime code does.
 */
export type CreationCode =
  | { readonly kind: 'init-code' | 'ethereum-transaction' | 'factory'; readonly code: Uint8Array }
  | { readonly kind: 'file'; readonly code: Uint8Array; readonly constructorArguments: Uint8Array }
  | { readonly kind: 'within-factory'; readonly code: Uint8Array }

/** What is known of a contract's code. */
export interface ChainCode {
  /** Undefined or empty where none is known. */
  readonly runtime: Uint8Array | undefined
  /** Tried in this order; the best counts. Empty where none is known. */
  readonly creations: readonly CreationCode[]
}

/** Init code of what a file holds, which is hex digits, with or without `0x` and line ends; undefined where it is something else. */
export function codeOfFile(contents: Uint8Array): Buffer | undefined {
  const text = Buffer.from(contents).toString('latin1').trim().replace(/^0x/i, '')
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : undefined
}
