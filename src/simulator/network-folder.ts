import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { nodeFolder, type SimulatedBlock } from '#src/simulator/block-files.ts'
import { blockFolder, blockSuffix, bucketPath } from '#src/simulator/blocks/block-name.ts'
import type { NetworkState } from '#src/simulator/network.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'

/** Puts a file in its place; tests replace it to die between two files. */
export type PutFile = (path: string, bytes: Uint8Array | string) => void

export interface SavedNetwork {
  readonly options: ResolvedOptions
  readonly state: NetworkState
}

/** 2: the state knows stakes, hooks and keys. */
const format = 2
const identityFile = 'network.json'
const stateFile = 'simulator-state.json'
const temporaryFolder = '.simulator-temporary'
const addressBookFile = 'address-book.bin'
const publicationFile = 'ledger-publication.bin'
/** What a folder may hold before it has an identity: what a start that was killed left, and what a new file system has. */
const knownNames = new Set([stateFile, addressBookFile, publicationFile, 'lost+found'])
const knownBeginning = '.simulator'

/** The folder of a simulated network: a bucket that also remembers which network it is and where it stands. */
export class NetworkFolder {
  readonly #folder: string
  readonly #put: PutFile

  constructor(folder: string, put?: PutFile) {
    this.#folder = folder
    this.#put = put ?? ((path, bytes) => this.#putWhole(path, bytes))
  }

  /**
   * What the folder holds; undefined when it is new. Throws `data_folder_other_network` when it belongs to another
   * network than the options describe, `data_folder_newer` when a later version wrote it, `data_folder_unusable` when it
   * holds other things. Changes nothing.
   */
  load(options: ResolvedOptions): SavedNetwork | undefined {
    const identity = this.#read(identityFile)
    if (!identity) {
      const foreign = this.#foreignName()
      if (foreign === undefined) return undefined
      if (foreign !== 'recordstreams') throw notEmpty(this.#folder, foreign)
      throw new LedgerError(
        'data_folder_other_network',
        `The folder ${this.#folder} holds record files that no simulated network wrote; use an empty folder`,
        { folder: this.#folder },
      )
    }
    if (Number(identity['format']) > format) {
      throw new LedgerError(
        'data_folder_newer',
        `The simulated network in ${this.#folder} was written by a newer version; use that version or another folder`,
        { folder: this.#folder },
      )
    }
    if (Number(identity['format']) < format) {
      throw unusable(this.#folder, 'its simulated network was written by an earlier version, which cannot go on')
    }
    // Earlier releases wrote nothing but record files, and did not say so.
    const given = { stream: 'records', network: options.network, ...(identity['options'] as object) }
    const known: { readonly [name: string]: unknown } = { ...given, ...identity }
    for (const name of ['seed', 'nodes', 'firstBlockNumber', 'stream', 'network'] as const) {
      if (known[name] === options[name]) continue
      throw new LedgerError(
        'data_folder_other_network',
        `The folder ${this.#folder} holds a simulated network with ${name} ${known[name]}, not ${options[name]}; use another folder or the same ${name}`,
        { folder: this.#folder, name, found: known[name], wanted: options[name] },
      )
    }
    return this.#loadState()
  }

  /** Prepares a new network: the state before its first block, its identity, and by what its files are verified. */
  create(saved: SavedNetwork, addressBook: Uint8Array, publication?: Uint8Array): void {
    this.save(saved)
    const { seed, nodes, firstBlockNumber } = saved.options
    this.#put(addressBookFile, addressBook)
    if (publication) this.#put(publicationFile, publication)
    this.#put(
      identityFile,
      `${JSON.stringify({ format, seed, nodes, firstBlockNumber, options: plain(saved.options) }, null, 2)}\n`,
    )
  }

  save({ options, state }: SavedNetwork): void {
    this.#put(stateFile, JSON.stringify({ format, options: plain(options), state }))
  }

  /** Data and sidecar files come before signatures in a block, so a reader that sees the signatures finds the rest. */
  writeBlock(block: SimulatedBlock): void {
    for (const { path, bytes } of block.files) this.#put(path, bytes)
  }

  /** The file of one block, and the folder around it once that is empty. */
  removeBlock(network: string, number: number): void {
    const file = join(this.#folder, bucketPath(network, number))
    rmSync(file, { force: true })
    if (existsSync(dirname(file)) && readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file))
  }

  removeRecordFile(name: string, nodes: number): void {
    const instant = name.slice(0, -'.rcd.gz'.length)
    for (let node = 0; node < nodes; node++) {
      for (const file of [`${instant}.rcd_sig`, `${instant}.rcd.gz`, `sidecar/${instant}_01.rcd.gz`]) {
        rmSync(join(this.#folder, nodeFolder(node), file), { force: true })
      }
    }
  }

  /** Removes what only writing needed; whoever writes again makes it anew. */
  removeTemporary(): void {
    rmSync(join(this.#folder, temporaryFolder), { recursive: true, force: true })
  }

  /** Numbers of all block files, the smallest first. */
  blockNumbers(network: string): number[] {
    const path = join(this.#folder, blockFolder(network))
    if (!existsSync(path)) return []
    const files = readdirSync(path, { recursive: true }) as string[]
    const numbers = files.filter((file) => file.endsWith(blockSuffix)).map((file) => Number(file.replaceAll(/\D/g, '')))
    return numbers.sort((left, right) => left - right)
  }

  /** Number of the newest block file. */
  newestBlockNumber(network: string): number | undefined {
    let path = join(this.#folder, blockFolder(network))
    let digits = ''
    while (existsSync(path) && statSync(path).isDirectory()) {
      const newest = readdirSync(path).sort().at(-1)
      if (newest === undefined) return undefined
      digits += newest.replace(blockSuffix, '')
      path = join(path, newest)
    }
    return digits === '' ? undefined : Number(digits)
  }

  /** Names of the data files of all record files of which any file is there, oldest first. */
  recordNames(): string[] {
    const path = join(this.#folder, nodeFolder(0))
    if (!existsSync(path)) return []
    const files = readdirSync(path).map((file) => /^(.*Z)\.(?:rcd\.gz|rcd_sig)$/.exec(file)?.[1])
    return [...new Set(files.filter((instant) => instant !== undefined))].sort().map((instant) => `${instant}.rcd.gz`)
  }

  #foreignName(): string | undefined {
    const found = statSync(this.#folder, { throwIfNoEntry: false })
    if (!found) return undefined
    if (!found.isDirectory()) throw unusable(this.#folder, 'it is not a folder')
    const foreign = readdirSync(this.#folder).filter(
      (name) => !knownNames.has(name) && !name.startsWith(knownBeginning),
    )
    return foreign.includes('recordstreams') ? 'recordstreams' : foreign[0]
  }

  #loadState(): SavedNetwork {
    const saved = this.#read(stateFile)
    if (!saved) {
      throw new LedgerError(
        'data_folder_unusable',
        `The simulated network in ${this.#folder} lost its ${stateFile}; delete the folder to start anew`,
        { folder: this.#folder },
      )
    }
    const options = saved['options'] as Omit<ResolvedOptions, 'startTime'> & { startTime: string }
    return { options: { ...options, startTime: BigInt(options.startTime) }, state: saved['state'] as NetworkState }
  }

  #read(file: string): { readonly [key: string]: unknown } | undefined {
    const path = join(this.#folder, file)
    if (!existsSync(path)) return undefined
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as { readonly [key: string]: unknown }
    } catch (cause) {
      throw new LedgerError(
        'data_folder_unusable',
        `The file ${path} of the simulated network cannot be read`,
        { path },
        cause,
      )
    }
  }

  /** Temporary files live in a folder of their own, so that no reader ever lists half a file. */
  #putWhole(path: string, bytes: Uint8Array | string): void {
    const target = join(this.#folder, path)
    const temporary = join(this.#folder, temporaryFolder, path.replaceAll('/', '-'))
    try {
      mkdirSync(dirname(temporary), { recursive: true })
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(temporary, bytes)
      renameSync(temporary, target)
    } catch (cause) {
      throw translated(cause, target)
    }
  }
}

function notEmpty(folder: string, name: string): LedgerError {
  return unusable(folder, `it is not a simulated network's and not empty (it holds ${name})`)
}

function unusable(folder: string, why: string): LedgerError {
  return new LedgerError(
    'data_folder_unusable',
    `The folder ${folder} is unusable: ${why}; choose a new or empty one`,
    { folder },
  )
}

function translated(cause: unknown, path: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (isLedgerError(cause) || code === undefined) return cause
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new LedgerError('disk_full', `There is no room to write ${path}; free some`, { path }, cause)
  return new LedgerError('data_folder_unusable', `Cannot write ${path} (${code})`, { path, code }, cause)
}

function plain(options: ResolvedOptions): object {
  return { ...options, startTime: options.startTime.toString() }
}
