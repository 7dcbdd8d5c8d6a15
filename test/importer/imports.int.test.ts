import { describe, expect, it } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import {
  addressBookOf,
  byAccount,
  chainV6,
  contractCallItem,
  fileAppendItem,
  fileUpdateItem,
  nodeStakeItem,
  recordFileV5,
  recordFileV6,
  type TestFile,
  type TestItem,
  testNodes,
  timestamp,
  transferItem,
  writeFile,
} from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
const second = 1_000_000_000n
const startHash = Buffer.alloc(48, 9)
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const numbers = async () => (await world.blocks()).map(({ number }) => number)

function writeAll(files: readonly TestFile[], signers = nodes, folderOf = byAccount): void {
  for (const file of files) writeFile(file, { root, nodes: signers, folderOf })
}

describe('the log', () => {
  it('begins with the network and its address book, then has each block behind its transactions', async () => {
    writeAll(chainV6({ first, number: 3n, items: [transfer, (time) => [transferItem(time), transferItem(time + 1n)]] }))
    const summary = await world.import(root, { addressBook })
    const records = await world.records()
    expect(records.map(({ type }) => type)).toEqual([
      'SnapshotStarted',
      'AddressBookSnapshotted',
      'SnapshotCompleted',
      'TransactionRecorded',
      'BlockRecorded',
      'TransactionRecorded',
      'TransactionRecorded',
      'BlockRecorded',
    ])
    expect(records[3]).toMatchObject({ key: String(first), time: first, sequence: 4 })
    expect(summary).toMatchObject({ blocks: 2, transactions: 3, firstBlock: 3n, lastBlock: 4n, warnings: {} })
    expect((await world.blocks())[0]?.signedBy).toEqual([0n, 1n, 2n, 3n])
  })

  it('takes an empty file as a block without transactions', async () => {
    writeAll([recordFileV6({ time: first, number: 1n, items: [], startHash })])
    await world.import(root, { addressBook })
    expect(await world.blocks()).toMatchObject([
      { count: 0n, consensusStart: first, consensusEnd: first, gasUsed: 0n, logsBloom: Buffer.alloc(0) },
    ])
  })

  it('adds up gas and log filters of a block', async () => {
    const bloom = (byte: number) => Buffer.alloc(256, byte)
    const items = (time: bigint) => [contractCallItem(time, 30n, bloom(1)), contractCallItem(time + 1n, 12n, bloom(4))]
    writeAll(chainV6({ first, number: 1n, items: [items] }))
    await world.import(root, { addressBook })
    expect((await world.blocks())[0]).toMatchObject({ gasUsed: 42n, logsBloom: bloom(5) })
  })

  it('attaches sidecar records of the wanted types', async () => {
    const action = Buffer.concat([bytesField(1, timestamp(first)), bytesField(4, Buffer.alloc(0))])
    const file = recordFileV6({
      time: first,
      number: 1n,
      items: [transferItem(first)],
      startHash,
      sidecarRecords: [action],
    })
    writeAll([file])
    await world.import(root, { addressBook, sidecarTypes: new Set([2]) })
    expect((await world.blocks())[0]?.sidecarCount).toBe(1)
    expect((await world.transactions())[0]?.contractActions).toHaveLength(1)
  })

  it('is the same whatever the size of appends and read-ahead', async () => {
    writeAll(chainV6({ first, number: 3n, items: Array.from({ length: 20 }, () => transfer) }))
    await world.import(root, { addressBook })
    const other = new ImportWorld()
    await other.import(root, {
      addressBook,
      appendBlocksMax: 1,
      readAheadFilesMax: 1,
      listFilesMax: 1,
      checkpointBlocks: 1,
    })
    expect(await other.records()).toEqual(await world.records())
  })
})

describe('restart', () => {
  const files = chainV6({ first, number: 3n, items: Array.from({ length: 6 }, () => transfer) })

  it('goes on after the last block', async () => {
    writeAll(files.slice(0, 3))
    await world.import(root, { addressBook })
    writeAll(files.slice(3))
    expect(await world.import(root)).toMatchObject({ blocks: 3, firstBlock: 6n, lastBlock: 8n })
    expect(await numbers()).toEqual([3n, 4n, 5n, 6n, 7n, 8n])
  })

  it('needs nothing but the log', async () => {
    writeAll(files.slice(0, 3))
    await world.import(root, { addressBook })
    world.store = openSqliteReadStore({ folder: ':memory:' })
    writeAll(files.slice(3))
    await world.import(root)
    expect(await numbers()).toEqual([3n, 4n, 5n, 6n, 7n, 8n])
    expect((await world.records()).filter(({ type }) => type === 'SnapshotStarted')).toHaveLength(1)
  })

  it('still checks the chain', async () => {
    writeAll(files.slice(0, 2))
    await world.import(root, { addressBook })
    writeAll(files.slice(3))
    expect((await world.failure(root)).code).toBe('chain_broken')
  })

  it('leaves a gap behind when the start date says so', async () => {
    writeAll(files.slice(0, 2))
    await world.import(root, { addressBook })
    writeAll(files.slice(3))
    await world.import(root, { startTime: first + 5n * second })
    expect(await numbers()).toEqual([3n, 4n, 6n, 7n, 8n])
  })
})

describe('dates', () => {
  const items = (time: bigint) => [transferItem(time), transferItem(time + second)]
  const files = chainV6({ first, number: 1n, items: [items, items, items, items] })

  it('takes only files after the start date', async () => {
    writeAll(files)
    await world.import(root, { addressBook, startTime: first + 2n * second })
    expect(await numbers()).toEqual([3n, 4n])
  })

  it('stops at the first file after the end date and leaves later transactions out', async () => {
    writeAll(files)
    await world.import(root, { addressBook, once: false, endTime: first + 2n * second })
    expect(await numbers()).toEqual([1n, 2n])
    expect((await world.transactions()).map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([
      first,
      first + second,
      first + 2n * second,
    ])
  })

  it('refuses an end before the start', async () => {
    const error = await world.failure(root, { addressBook, startTime: first, endTime: first - 1n })
    expect(error.code).toBe('config_invalid')
  })
})

describe('block numbers', () => {
  function oldThenNew(number: bigint): TestFile[] {
    const a = recordFileV5({ time: first, items: [transferItem(first)], startHash })
    const b = recordFileV5({ time: first + second, items: [transferItem(first + second)], startHash: a.endHash })
    const c = recordFileV6({
      time: first + 2n * second,
      number,
      items: [transferItem(first + 2n * second)],
      startHash: b.endHash,
    })
    return [a, b, c]
  }

  it('are counted before the first file that has one', async () => {
    writeAll(oldThenNew(2n))
    await world.import(root, { addressBook })
    expect((await world.blocks()).map(({ number, numberProvisional }) => [number, numberProvisional])).toEqual([
      [0n, true],
      [1n, true],
      [2n, false],
    ])
    expect(await world.shifts()).toEqual([])
  })

  it('are corrected by an event when that file tells others', async () => {
    writeAll(oldThenNew(1_002n))
    await world.import(root, { addressBook, startBlockNumber: 10n })
    expect(await numbers()).toEqual([10n, 11n, 1_002n])
    expect(await world.shifts()).toMatchObject([
      { shift: 990n, throughNumber: 11n, consensusTimestamp: first + 2n * second },
    ])
  })

  it('are not corrected twice', async () => {
    const files = oldThenNew(1_002n)
    const time = first + 3n * second
    writeAll([
      ...files,
      recordFileV6({ time, number: 1_003n, items: [transferItem(time)], startHash: files[2]!.endHash }),
    ])
    await world.import(root, { addressBook })
    expect(await world.shifts()).toHaveLength(1)
    expect(await numbers()).toEqual([0n, 1n, 1_002n, 1_003n])
  })
})

describe('whom to believe', () => {
  const others = testNodes(8)
    .slice(4)
    .map((node, index) => ({ ...node, nodeId: index, accountNumber: index + 3 }))
  const newBook = addressBookOf(others)

  async function importWith(update: (time: bigint) => TestItem[]): Promise<void> {
    const files = chainV6({ first, number: 1n, items: [transfer, update, transfer, transfer] })
    writeAll(files.slice(0, 2))
    writeAll(files.slice(2), others)
    await world.import(root, { addressBook })
  }

  it('changes with an update of the address book in the stream', async () => {
    await importWith((time) => [fileUpdateItem(time, 102, newBook)])
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n])
  })

  it('changes when an address book is uploaded in parts', async () => {
    const half = (newBook.length >> 1) + 5
    await importWith((time) => [
      fileUpdateItem(time, 102, newBook.subarray(0, half)),
      fileUpdateItem(time + 1n, 101, Buffer.from('another file')),
      fileAppendItem(time + 2n, 102, newBook.subarray(half)),
    ])
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n])
  })

  it('does not change with file 101, another file or a book that is not whole', async () => {
    const update = (time: bigint) => [
      fileUpdateItem(time, 101, newBook),
      fileUpdateItem(time + 1n, 103, newBook),
      fileUpdateItem(time + 2n, 102, newBook.subarray(0, newBook.length - 9)),
    ]
    const files = chainV6({ first, number: 1n, items: [transfer, update, transfer] })
    writeAll(files)
    await world.import(root, { addressBook })
    expect(await numbers()).toEqual([1n, 2n, 3n])
  })

  it('is known again after a restart in the middle of an upload', async () => {
    const half = (newBook.length >> 1) + 5
    const files = chainV6({
      first,
      number: 1n,
      items: [
        (time) => [fileUpdateItem(time, 102, newBook.subarray(0, half))],
        (time) => [fileAppendItem(time, 102, newBook.subarray(half))],
        transfer,
      ],
    })
    writeAll(files.slice(0, 1))
    await world.import(root, { addressBook })
    world.store = openSqliteReadStore({ folder: ':memory:' })
    writeAll(files.slice(1, 2))
    writeAll(files.slice(2), others)
    await world.import(root)
    expect(await numbers()).toEqual([1n, 2n, 3n])
  })

  it('weighs nodes by the latest node stake update', async () => {
    const stakes = (time: bigint) => [
      nodeStakeItem(time, [
        [0, 70n],
        [1, 10n],
        [2, 10n],
        [3, 10n],
      ]),
    ]
    const files = chainV6({ first, number: 1n, items: [stakes, transfer, transfer] })
    writeAll(files.slice(0, 1))
    writeAll(files.slice(1, 2), nodes.slice(0, 1))
    writeAll(files.slice(2), nodes.slice(1))
    const error = await world.failure(root, { addressBook })
    expect(error.details).toMatchObject({ have: 30n, required: 34n, total: 100n })
    expect((await world.blocks()).map(({ signedBy }) => signedBy)).toEqual([[0n, 1n, 2n, 3n], [0n]])
  })

  it('can be one key for all nodes', async () => {
    const same = nodes.map((node) => ({ ...node, privateKey: nodes[0]!.privateKey }))
    writeAll(chainV6({ first, number: 1n, items: [transfer] }), same)
    await world.import(root, { addressBook: newBook, publicKey: nodes[0]!.publicKeyHex })
    expect(await numbers()).toEqual([1n])
  })
})

describe('a minority', () => {
  it('that names a file otherwise is passed over when the chain goes on', async () => {
    const [a, b] = chainV6({ first, number: 1n, items: [transfer, transfer] })
    const time = first + second
    const own = recordFileV6({ time, number: 2n, items: [transferItem(time)], startHash: a!.endHash })
    writeAll([a!, b!], nodes.slice(1))
    writeAll([a!, own], nodes.slice(0, 1))
    const summary = await world.import(root, { addressBook })
    expect((await world.blocks()).map(({ name }) => name)).toEqual([a!.name, b!.name])
    expect(summary.warnings).toEqual({ consensus_missing: 1 })
  })
})

describe('the beginning of the chain', () => {
  const linesAboutIt = () => world.lines.filter(({ message }) => message.startsWith('no earlier block is known'))

  it('is taken as it is, which is told without alarm', async () => {
    writeAll([recordFileV6({ time: first, number: 8n, items: [transferItem(first)], startHash })])
    await world.import(root, { addressBook })
    expect(linesAboutIt()).toMatchObject([{ level: 'info', fields: { previousHash: startHash.toString('hex') } }])
  })

  it('is not spoken of where the file itself says that none comes before it', async () => {
    const zeros = Buffer.alloc(48)
    writeAll([recordFileV6({ time: first, number: 0n, items: [transferItem(first)], startHash: zeros })])
    await world.import(root, { addressBook })
    expect(world.lines).toEqual([])
  })
})
