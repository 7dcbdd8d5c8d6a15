import type { Config } from '#src/config/schema.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

const depthMax = 10
const namesMax = 50
/** Folders beside those of record files. */
const notRecords: ReadonlySet<string> = new Set(['sidecar', 'block'])

/** A file that somebody may read to see whether he may. */
export interface SomeObject {
  readonly path: string
  readonly size: number
}

/** The smallest of the first files of some node, in whichever layout; undefined where there is none. */
export async function findRecordObject(
  source: StreamSource,
  { config, network }: { readonly config: Pick<Config, 'source'>; readonly network: string },
  signal: AbortSignal,
): Promise<SomeObject | undefined> {
  const prefix = config.source.pathPrefix?.replace(/^\/+|\/+$/g, '') ?? ''
  const below = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`)
  const [plain = network] = network.split('-')
  for (const folder of ['recordstreams', network, plain, '0'].map(below)) {
    const object = await findSomeObject(source, folder, signal)
    if (object !== undefined) return object
  }
  return undefined
}

/** Goes down by the first folder of each until there are files; the smallest of the first ones, which costs least to read. */
export async function findSomeObject(
  source: StreamSource,
  folder: string,
  signal: AbortSignal,
): Promise<SomeObject | undefined> {
  let at = folder
  for (let depth = 0; depth < depthMax; depth++) {
    const objects = await source.list({ folder: at, after: '', countMax: namesMax, signal })
    const [smallest] = objects.filter(({ size }) => size > 0).sort((a, b) => a.size - b.size)
    if (smallest) return { path: `${at}/${smallest.name}`, size: smallest.size }
    const [first] = (await source.listFolders(at, namesMax, signal)).filter((name) => !notRecords.has(name))
    if (first === undefined) return undefined
    at = `${at}/${first}`
  }
  return undefined
}
