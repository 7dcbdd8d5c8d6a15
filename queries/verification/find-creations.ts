import { isUserFile } from '#projections/contracts/schema.ts'
import { findFileContents } from '#queries/contracts/file-contents.ts'
import type { CodeRows } from '#queries/verification/reads.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { type CreationCode, codeOfFile } from '#src/verification/chain-code.ts'

interface Created {
  readonly id: bigint
  /** Consensus time (ns) of the record that created it. */
  readonly created: bigint
  readonly code: { readonly fileId: bigint | null; readonly initcode: Uint8Array | null }
}

/** Transactions of one id, and calls within a transaction: more than there are. */
const transactionsMax = 1_000
const actionsMax = 10_000
/** Of `callType`: a contract is made. */
const callTypeCreate = 2

/** What a contract may have been created with; what proves most stands first. */
export async function findCreations(rows: CodeRows, created: Created): Promise<CreationCode[]> {
  const { transactions } = rows
  const [own] = await transactions.get(
    'transactions',
    [[created.created]],
    ['type', 'nonce', 'validStart', 'payer', 'scheduled'],
  )
  if (own === undefined) return []
  if (own.type === transactionType.contractCreate && own.nonce === 0) return ownCreation(rows, created)
  const time = own.nonce === 0 ? created.created : await findUserTime(rows, own, created.created)
  if (time === undefined) return withinFactory(created)
  const [call, made] = await Promise.all([ethereumCreation(rows, created, time), factoryCreation(rows, created, time)])
  if (call !== undefined) return [call]
  return made === undefined ? withinFactory(created) : [made, ...withinFactory(created)]
}

/** Of a ContractCreate of a user. Some clients send the arguments behind the init code, and some beside it. */
async function ownCreation(rows: CodeRows, { created, code }: Created): Promise<CreationCode[]> {
  const [result] = await rows['contract-results'].get('results', [[created]], ['parameters'])
  const constructorArguments = Buffer.from(result?.parameters ?? '', 'hex')
  if (code.fileId === null) {
    if (code.initcode === null) return []
    const whole = Buffer.concat([code.initcode, constructorArguments])
    const alone = { kind: 'init-code', code: code.initcode } as const
    return constructorArguments.length === 0 ? [alone] : [alone, { kind: 'init-code', code: whole }]
  }
  if (!isUserFile(code.fileId)) return []
  const contents = await findFileContents(rows.contracts.at(created), code.fileId)
  const ofFile = contents && codeOfFile(contents)
  return ofFile === undefined ? [] : [{ kind: 'file', code: ofFile, constructorArguments }]
}

/** When the transaction of the user ran that a record with a nonce belongs to. */
async function findUserTime(
  { transactions }: CodeRows,
  { validStart, payer, scheduled }: { validStart: bigint; payer: bigint; scheduled: number },
  before: bigint,
): Promise<bigint | undefined> {
  const found = await transactions.find({
    collection: 'transactions',
    index: ['validStart', 'payer'],
    prefix: [validStart, payer],
    filters: [
      { field: 'nonce', op: 'eq', value: 0 },
      { field: 'scheduled', op: 'eq', value: scheduled },
    ],
    limit: transactionsMax,
    select: ['consensusTimestamp'],
  })
  const times = found.map(({ consensusTimestamp }) => consensusTimestamp).filter((time) => time <= before)
  return times.reduce<bigint | undefined>(
    (newest, time) => (newest === undefined || time > newest ? time : newest),
    undefined,
  )
}

/** Call data without a receiver, where it made this very contract. */
async function ethereumCreation(rows: CodeRows, { id }: Created, time: bigint): Promise<CreationCode | undefined> {
  const [[call], [result]] = await Promise.all([
    rows['contract-results'].get('ethereum', [[time]], ['toAddress', 'callData', 'callDataId']),
    rows['contract-results'].get('results', [[time]], ['contract']),
  ])
  if (call === undefined || (call.toAddress?.length ?? 0) > 0 || result?.contract !== id) return undefined
  if (call.callData !== null && call.callData.length > 0) return { kind: 'ethereum-transaction', code: call.callData }
  const contents =
    call.callDataId === null ? undefined : await findFileContents(rows.contracts.at(time), call.callDataId)
  const code = contents && codeOfFile(contents)
  return code && { kind: 'ethereum-transaction', code }
}

/** Init code of a creation inside of the EVM, as its trace tells it. */
async function factoryCreation(rows: CodeRows, { id }: Created, time: bigint): Promise<CreationCode | undefined> {
  const actions = await rows['contract-results'].find({
    collection: 'actions',
    index: ['time', 'index'],
    prefix: [time],
    filters: [
      { field: 'callType', op: 'eq', value: callTypeCreate },
      { field: 'recipientContract', op: 'eq', value: id },
    ],
    limit: actionsMax,
    select: ['input'],
  })
  const code = actions.find(({ input }) => input !== null && input.length > 0)?.input
  return code ? { kind: 'factory', code } : undefined
}

function withinFactory({ code: { initcode } }: Created): CreationCode[] {
  return initcode === null ? [] : [{ kind: 'within-factory', code: initcode }]
}
