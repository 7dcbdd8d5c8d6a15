import type { LedgerIdPublicationTransactionBody } from '#schemas/events/types.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'

const writer = new MessageWriter()

/** The publication as the network writes it: a serialized LedgerIdPublicationTransactionBody. */
export function writeLedgerPublication(body: LedgerIdPublicationTransactionBody): Buffer {
  writer.bytes(1, body.ledgerId)
  writer.bytes(2, body.historyProofVerificationKey)
  for (const { nodeId, weight, historyProofKey } of body.nodeContributions) {
    writer.nested(3, () => {
      writer.number(1, nodeId)
      writer.number(2, weight)
      writer.bytes(3, historyProofKey)
    })
  }
  return Buffer.from(writer.finish())
}
