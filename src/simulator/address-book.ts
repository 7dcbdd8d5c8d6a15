import { encode, type Message } from '#src/simulator/codec.ts'
import { accountId, accounts } from '#src/simulator/ids.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import { type NodeKey, nodeKeyOf } from '#src/simulator/rsa-keys.ts'

const tinybarsPerHbar = 100_000_000
const grpcPort = 50_211

export function nodeKeys({ seed, nodes }: ResolvedOptions): NodeKey[] {
  return Array.from({ length: nodes }, (_, node) => nodeKeyOf(`${seed}/node/${node}`))
}

/** A serialized NodeAddressBook. Editions differ in descriptions and endpoints; keys and accounts stay. */
export function buildAddressBook(options: ResolvedOptions, keys: readonly NodeKey[], edition: number): Uint8Array {
  const nodeAddress = keys.map(
    (key, nodeId): Message => ({
      memo: Buffer.from(`0.0.${accounts.firstNode + nodeId}`),
      RSA_PubKey: key.publicKeyHex,
      ...(nodeId === 0 ? {} : { nodeId }),
      nodeAccountId: accountId(accounts.firstNode + nodeId),
      nodeCertHash: Buffer.from(sha384(Buffer.from(`${options.seed}/certificate/${nodeId}`)).toString('hex')),
      serviceEndpoint: [
        { ipAddressV4: Buffer.of(10, 0, edition % 256, nodeId + 1), port: grpcPort },
        { domainName: `node${nodeId}.simulated.example`, port: grpcPort },
      ],
      description: edition === 0 ? `simulated node ${nodeId}` : `simulated node ${nodeId}, edition ${edition}`,
      stake: (options.stakes[nodeId] ?? 0) * tinybarsPerHbar,
    }),
  )
  return encode('proto.NodeAddressBook', { nodeAddress })
}
