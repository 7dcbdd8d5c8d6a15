import type { Message } from '#src/simulator/codec.ts'
import type { ReadItem } from '#test/simulator/read-back.ts'

/** The fields of a record that its form as a block lacks or has besides, each with what a consumer can do about it. */
export const notInBlocks = {
  'receipt.exchangeRate': 'the newest successful file 0.0.112 says it',
  alias: 'the body of the creation says it',
  ethereumHash: 'the hash of the Ethereum transaction in the body',
  'gas, amount and parameters of an Ethereum transaction': 'the bytes of it in the body say them',
  createdContractIDs: 'children tell of the contracts that came into being; nobody reads it any more',
  'receipt.contractID of a system contract': 'is there besides: whom a call that was made a child of asked',
} as const

type Lacking = keyof typeof notInBlocks

const results = ['contractCallResult', 'contractCreateResult'] as const

/** The record as a consumer of blocks can have it; `seen` learns which of the differences there were. */
export function inBlockForm({ record }: ReadItem, seen: Set<string>): Message {
  const { alias, ethereumHash, ...kept } = record
  const note = (holds: unknown, lacking: Lacking) => {
    if (holds) seen.add(lacking)
    return Boolean(holds)
  }
  note(alias, 'alias')
  note(ethereumHash, 'ethereumHash')
  const { exchangeRate, ...receipt } = withoutZeros(record['receipt'] as Message)
  note(exchangeRate, 'receipt.exchangeRate')
  return { ...kept, ...contractResult(kept, note), receipt: { ...receipt, ...besides({ record }, note) } }
}

type Note = (holds: unknown, lacking: Lacking) => boolean

function contractResult(record: Message, note: Note): Message {
  const isChild = Number((record['transactionID'] as Message)['nonce'] ?? 0) > 0
  const field = results.find((name) => name in record)
  if (!field) return {}
  const { createdContractIDs, ...result } = record[field] as Message
  note(createdContractIDs, 'createdContractIDs')
  const { gas, amount, functionParameters, ...outside } = result
  if (isChild) return { [field]: result }
  note(gas, 'gas, amount and parameters of an Ethereum transaction')
  return { [field]: outside }
}

/** What a consumer says in a receipt that the simulated network leaves out of its records. */
function besides({ record }: Pick<ReadItem, 'record'>, note: Note): Message {
  const { contractID } = record['receipt'] as Message
  const called = (record['contractCallResult'] as Message | undefined)?.['contractID']
  if (note(called && !contractID, 'receipt.contractID of a system contract')) return { contractID: called }
  return {}
}

/** Numbers that are 0 are the same as none. */
function withoutZeros(message: Message): Message {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== 0))
}

/** A creation that failed has no contract whose code it could be; the body, or a file that it names, has it. */
export function storedSidecars(sidecars: readonly Message[]): Message[] {
  return sidecars
    .filter(({ bytecode }) => !bytecode || (bytecode as Message)['contractId'])
    .map(({ consensusTimestamp: _known, ...sidecar }) => sidecar)
}
