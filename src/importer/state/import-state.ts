import type {
  AddressBookSnapshotted,
  BlockNumbersShifted,
  BlockRecorded,
  EventOf,
  LedgerIdPublicationTransactionBody,
  RegisteredNodeSnapshotted,
  SnapshotStarted,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { parseAddressBook, type Realm } from '#src/domain/address-book.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { parseVersion, type SemanticVersion, versionText } from '#src/domain/semantic-version.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { EventType } from '#src/events/event-types.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'
import { writeLedgerPublication } from '#src/importer/state/ledger-publication.ts'
import { RegisteredBlockNodes } from '#src/importer/state/registered-block-nodes.ts'
import { Uploads } from '#src/importer/state/uploads.ts'
import { missingBetween } from '#src/importer/succession-gap.ts'
import type { DeleteRow, PutRow, Row, Value } from '#src/ports/read-store.ts'
import { parseLedgerPublication } from '#src/tss/ledger.ts'

export interface Document {
  /** Consensus time (ns) of the transaction that brought it; 0 for the opening snapshot. */
  readonly time: bigint
  readonly contents: Buffer
}

/** What the state has something of: whom to believe, where blocks are served, and what blocks do not repeat. */
const statefulTypes: ReadonlySet<number> = new Set([
  transactionType.nodeStakeUpdate,
  transactionType.ledgerIdPublication,
  transactionType.fileAppend,
  transactionType.fileCreate,
  transactionType.fileUpdate,
  transactionType.fileDelete,
  transactionType.registeredNodeCreate,
  transactionType.registeredNodeUpdate,
  transactionType.registeredNodeDelete,
])

export const documentNames = [
  'book/101',
  'book/102',
  'upload/101',
  'upload/102',
  'upload/112',
  'stakes',
  'ledger',
  'block-nodes',
  'uploads',
] as const
export type DocumentName = (typeof documentNames)[number]

/** Files of which each version counts: address books, and the exchange rates. */
type SystemFile = 101 | 102 | 112

/** The fold: pure in the sense that the same events give the same rows, however they are batched. */
export class ImportState {
  network: string | undefined
  lastBlock: LastBlock | undefined
  blocks = 0n
  transactions = 0n
  /** Places where a block does not continue the one before it, and the blocks that are missing there. */
  breaks = 0n
  gapBlocks = 0n
  /** Rises whenever the address book or the stakes that verify change. */
  trustVersion = 0
  readonly uploads = new Uploads()
  readonly blockNodes = new RegisteredBlockNodes()
  readonly #realm: Realm
  readonly #fileIds: ReadonlyMap<bigint, SystemFile>
  readonly #documents = new Map<DocumentName, Document>()
  readonly #dirty = new Set<DocumentName>()
  /** That is in the rows. */
  #blockNodesVersion: number | undefined

  constructor(realm: Realm) {
    this.#realm = realm
    const idOf = (number: bigint) => entityIdOf(realm.shard, realm.realm, number) as bigint
    this.#fileIds = new Map([
      [idOf(101n), 101],
      [idOf(102n), 102],
      [idOf(112n), 112],
    ])
  }

  document(name: DocumentName): Document | undefined {
    return this.#documents.get(name)
  }

  /** Stakes by node id of the latest node stake update; empty before the first. */
  stakes(): Map<bigint, bigint> {
    const stored = this.#documents.get('stakes')
    if (!stored) return new Map()
    const pairs = JSON.parse(stored.contents.toString('utf8')) as [string, string][]
    return new Map(pairs.map(([nodeId, stake]) => [BigInt(nodeId), BigInt(stake)]))
  }

  /** Whether a transaction has to be decoded wholly. */
  needsBody({ type }: Pick<TransactionRecorded, 'type'>): boolean {
    return statefulTypes.has(type)
  }

  /** Whether a decoded transaction changes anything here: of those of Ethereum only a creation does. */
  isConcernedBy(event: Pick<TransactionRecorded, 'type' | 'record'>): boolean {
    if (event.type === transactionType.ethereumTransaction) return event.record?.contractCreateResult != null
    return this.needsBody(event)
  }

  apply<T extends EventType>(type: T, event: EventOf<T>): void {
    if (type === 'TransactionRecorded') {
      this.countTransactions(1)
      this.applyTransaction(event as TransactionRecorded)
    } else if (type === 'BlockRecorded') this.#applyBlock(event as BlockRecorded)
    else if (type === 'BlockNumbersShifted') this.#applyShift(event as BlockNumbersShifted)
    else if (type === 'SnapshotStarted') this.network = (event as SnapshotStarted).network
    else if (type === 'AddressBookSnapshotted') this.#applySnapshot(event as AddressBookSnapshotted)
    else if (type === 'RegisteredNodeSnapshotted') this.blockNodes.state(event as RegisteredNodeSnapshotted)
  }

  countTransactions(count: number): void {
    this.transactions += BigInt(count)
  }

  /** Takes in what the state needs of a transaction, beside its number. */
  applyTransaction(event: TransactionRecorded): void {
    if (!this.needsBody(event) || !(event.successful ?? isSuccessCode(event.result))) return
    const time = event.consensusTimestamp
    this.blockNodes.apply(event)
    this.uploads.apply(event)
    if (event.ledgerIdPublication) this.#takeLedger(event.ledgerIdPublication, time)
    // A list without nodes says nothing of them; taking it would give every node the same weight.
    if (event.nodeStakeUpdate && event.nodeStakeUpdate.nodeStake.length > 0)
      this.#putStakes(event.nodeStakeUpdate.nodeStake, time)
    const file = event.entityId === null ? undefined : this.#fileIds.get(event.entityId)
    const contents = (event.fileCreate ?? event.fileUpdate ?? event.fileAppend)?.contents
    if (file === undefined || contents === undefined) return
    // An update without contents changes other properties of the file; a creation without any begins an upload.
    if (contents.length === 0 && event.fileCreate === null) return
    this.#putFile(file, contents, time, event.fileAppend !== null)
  }

  /** The first publication that holds: the id of a ledger never changes, and with it goes who signs for it. */
  #takeLedger(publication: LedgerIdPublicationTransactionBody, time: bigint): void {
    if (this.#documents.has('ledger')) return
    const contents = writeLedgerPublication(publication)
    if (parseLedgerPublication(contents)) this.#put('ledger', { time, contents })
  }

  /** A book uploaded in parts becomes one when its last part arrives. */
  #putFile(file: SystemFile, contents: Buffer, time: bigint, isAppend: boolean): void {
    const upload = this.#documents.get(`upload/${file}`)
    if (isAppend && !upload) return
    const whole = isAppend && upload ? Buffer.concat([upload.contents, contents]) : contents
    this.#put(`upload/${file}`, { time, contents: whole })
    if (file !== 112 && parseAddressBook(whole, this.#realm) !== undefined)
      this.#putBook(file, { time, contents: whole })
  }

  #putBook(file: 101 | 102, book: Document): void {
    this.#put(`book/${file}`, book)
    if (file === 102) this.trustVersion += 1
  }

  #putStakes(nodes: readonly { nodeId: bigint; stake: bigint }[], time: bigint): void {
    const pairs = nodes.map(({ nodeId, stake }) => [nodeId.toString(), stake.toString()])
    this.#put('stakes', { time, contents: Buffer.from(JSON.stringify(pairs)) })
    this.trustVersion += 1
  }

  /** A book of which only the entries were stated has no contents, and verifies nothing. */
  #applySnapshot({ fileId, contents, asOf }: AddressBookSnapshotted): void {
    const file = this.#fileIds.get(fileId)
    if (file === undefined || file === 112 || contents.length === 0) return
    this.#put(`upload/${file}`, { time: asOf, contents })
    this.#putBook(file, { time: asOf, contents })
  }

  #applyBlock(block: BlockRecorded): void {
    const { name, number, numberProvisional, hash, consensusEnd, version } = block
    const missing = missingBetween(this.lastBlock, block)
    if (missing !== undefined) {
      this.breaks += 1n
      this.gapBlocks += missing
    }
    this.blocks += 1n
    const root = version >= blockStreamVersion ? hash : (block.blockRoot ?? undefined)
    const hapiVersion = hapiVersionOf(block)
    this.lastBlock = { name, number, numberProvisional, hash, time: consensusEnd, version, root, hapiVersion }
  }

  #applyShift({ shift }: BlockNumbersShifted): void {
    if (this.lastBlock) this.lastBlock = { ...this.lastBlock, number: this.lastBlock.number + shift }
  }

  #put(name: DocumentName, document: Document): void {
    // A copy: the contents are a slice of a whole file, which would be kept with it.
    this.#documents.set(name, { time: document.time, contents: Buffer.from(document.contents) })
    this.#dirty.add(name)
  }

  /** Rows to write, changed since the last call. */
  takeRows(): { readonly puts: PutRow[]; readonly deletes: DeleteRow[] } {
    const puts: PutRow[] = [{ collection: 'progress', row: this.#progressRow() }]
    const { changed, removed } = this.uploads.takeChanges()
    if (changed.length + removed.length > 0 || !this.#documents.has('uploads'))
      this.#putText('uploads', JSON.stringify(this.uploads.files.map(String)))
    if (this.blockNodes.version !== this.#blockNodesVersion) this.#putText('block-nodes', this.blockNodes.text)
    this.#blockNodesVersion = this.blockNodes.version
    for (const [file, contents] of changed) puts.push({ collection: 'files', row: { file, contents } })
    for (const name of this.#dirty) {
      const { time, contents } = this.#documents.get(name) as Document
      puts.push({ collection: 'documents', row: { name, time, contents } })
    }
    this.#dirty.clear()
    return { puts, deletes: removed.map((file) => ({ collection: 'files', key: [file] })) }
  }

  /** What was gathered from many events has no time of its own, and that of the last one would depend on how events are batched. */
  #putText(name: DocumentName, text: string): void {
    this.#put(name, { time: 0n, contents: Buffer.from(text) })
  }

  /** Restores the state from its rows; those of kept files come after. */
  restore(progress: Row | undefined, documents: readonly (Row | undefined)[]): void {
    if (progress) this.#restoreProgress(progress)
    for (const row of documents) {
      if (!row) continue
      this.#documents.set(row.name as DocumentName, { time: row.time as bigint, contents: bytesOf(row.contents) })
    }
    const nodes = this.#textOf('block-nodes')
    if (nodes !== undefined) this.blockNodes.restore(nodes)
    this.#blockNodesVersion = this.blockNodes.version
    this.trustVersion += 1
  }

  /** Ids of the files whose contents have rows. */
  get keptFiles(): bigint[] {
    const text = this.#textOf('uploads')
    return text === undefined ? [] : (JSON.parse(text) as string[]).map(BigInt)
  }

  #textOf(name: DocumentName): string | undefined {
    return this.#documents.get(name)?.contents.toString('utf8')
  }

  #restoreProgress(row: Row): void {
    this.network = (row.network ?? undefined) as string | undefined
    this.blocks = row.blocks as bigint
    this.transactions = row.transactions as bigint
    this.breaks = row.breaks as bigint
    this.gapBlocks = row.gapBlocks as bigint
    if (row.blockName === null || row.blockName === undefined) return
    this.lastBlock = {
      name: row.blockName as string,
      number: row.blockNumber as bigint,
      numberProvisional: row.blockNumberProvisional === 1,
      hash: bytesOf(row.blockHash),
      time: row.blockTime as bigint,
      version: row.blockVersion as number,
      root: row.blockRoot === null ? undefined : bytesOf(row.blockRoot),
      hapiVersion: row.blockHapiVersion === null ? undefined : parseVersion(row.blockHapiVersion as string),
    }
  }

  #progressRow(): Row {
    const { network = null, lastBlock, blocks, transactions, breaks, gapBlocks } = this
    return {
      id: 0,
      network,
      blockName: lastBlock?.name ?? null,
      blockNumber: lastBlock?.number ?? null,
      blockNumberProvisional: lastBlock === undefined ? null : Number(lastBlock.numberProvisional),
      blockHash: lastBlock?.hash ?? null,
      blockTime: lastBlock?.time ?? null,
      blockVersion: lastBlock?.version ?? null,
      blockRoot: lastBlock?.root ?? null,
      blockHapiVersion: lastBlock?.hapiVersion === undefined ? null : versionText(lastBlock.hapiVersion),
      blocks,
      transactions,
      breaks,
      gapBlocks,
    }
  }
}

function hapiVersionOf({
  hapiVersionMajor,
  hapiVersionMinor,
  hapiVersionPatch,
}: BlockRecorded): SemanticVersion | undefined {
  if (hapiVersionMajor === null || hapiVersionMinor === null || hapiVersionPatch === null) return undefined
  return { major: hapiVersionMajor, minor: hapiVersionMinor, patch: hapiVersionPatch }
}

function bytesOf(value: Value | undefined): Buffer {
  return asBuffer(value as Uint8Array)
}
