/** Numbers of the public networks as the EVM knows them (EIP-155). */
const publicChains: ReadonlyMap<string, bigint> = new Map([
  ['mainnet', 295n],
  ['testnet', 296n],
  ['previewnet', 297n],
])

/** Of every other network. */
const otherChain = 298n

/** The chain of a network: the configured one, unless that is 0; else the one of its name, null where nobody knows that. */
export function chainIdOf(configured: number, network: string | null): bigint {
  if (configured !== 0) return BigInt(configured)
  return publicChains.get(network ?? '') ?? otherChain
}
