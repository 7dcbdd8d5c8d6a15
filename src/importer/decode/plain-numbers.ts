// Numbers of the fields that are read where they lie, by message and by the names in schemas/protobuf, which a test compares.

export const signedField = { signedTransactionBytes: 5 } as const
export const envelopeField = { bodyBytes: 1, sigMap: 2 } as const
export const idField = { transactionValidStart: 1, accountID: 2, scheduled: 3, nonce: 4 } as const
export const durationField = { seconds: 1 } as const
export const receiptField = { status: 1 } as const
export const messageField = { topicID: 1 } as const
export const transferField = { transfers: 1, tokenTransfers: 2 } as const

export const bodyField = {
  transactionID: 1,
  nodeAccountID: 2,
  transactionFee: 3,
  transactionValidDuration: 4,
  generateRecord: 5,
  memo: 6,
} as const

export const recordField = {
  receipt: 1,
  transactionHash: 2,
  consensusTimestamp: 3,
  transactionID: 4,
  memo: 5,
  transactionFee: 6,
  transferList: 10,
  tokenTransferLists: 11,
  scheduleRef: 12,
  assessedCustomFees: 13,
  parentConsensusTimestamp: 15,
  highVolumePricingMultiplier: 23,
} as const
