import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolder } from './folders.ts'
import { removeAtOurEnd } from './guard.ts'
import { requireTools, runTool } from './run-tool.ts'

const toolTimeoutMs = 10 * 60_000
const lockPollMs = 200
/** A lock file without a process id in it belongs to somebody who died between making and filling it. */
const emptyLockMs = 5_000

/** A Maven artifact as `group:artifact:version[:type:classifier]`. */
export type Artifact = string

/** The folder with the jars (or the file) of the artifacts and everything that they need at run time; downloaded once. */
export function installJars(name: string, artifacts: readonly Artifact[]): Promise<string> {
  return installOnce(name, 'maven', ['java', 'mvn'], async (folder) => {
    await writeFile(join(folder, 'pom.xml'), pomOf(artifacts))
    await runTool('mvn', [...mavenArgs, `-DoutputDirectory=${join(folder, 'lib')}`], {
      cwd: folder,
      timeoutMs: toolTimeoutMs,
    })
  })
}

const mavenArgs = [
  '-q',
  '-B',
  `-Dmaven.repo.local=${join(cacheFolder, 'maven')}`,
  'dependency:copy-dependencies',
  '-DincludeScope=runtime',
]

// An archive brings what it needs along.
const alone = '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>'

function pomOf(artifacts: readonly Artifact[]): string {
  const dependencies = artifacts.map((artifact) => {
    const [group, id, version, type, classifier] = artifact.split(':')
    const more = type === undefined ? '' : `<type>${type}</type><classifier>${classifier}</classifier>${alone}`
    return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version>${more}</dependency>`
  })
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>service</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('\n')}</dependencies></project>
`
}

export interface GoProgram {
  /** Module and version, as in `example.com/thing@v1.2.3`. */
  readonly module: string
  /** Package of the program inside the module, as in `/cmd/thing`. */
  readonly program: string
  /** Files to lay into the vendored module before it is built: path inside the module -> text. */
  readonly patches?: Readonly<Record<string, string>>
}

/** The built program; built once. */
export async function installGoProgram(name: string, { module, program, patches }: GoProgram): Promise<string> {
  const [path = '', version = ''] = module.split('@')
  const folder = await installOnce(name, 'go', ['go'], async (folder) => {
    await writeFile(join(folder, 'go.mod'), `module local-service\n\ngo 1.24\n\nrequire ${path} ${version}\n`)
    await writeFile(join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${path}${program}"\n`)
    const inFolder = { cwd: folder, timeoutMs: toolTimeoutMs }
    await runTool('go', ['mod', 'tidy'], inFolder)
    if (patches) {
      await runTool('go', ['mod', 'vendor'], inFolder)
      for (const [file, text] of Object.entries(patches)) await writeFile(join(folder, 'vendor', path, file), text)
    }
    await runTool('go', ['build', '-trimpath', '-o', 'program', `${path}${program}`], inFolder)
    await rm(join(folder, 'vendor'), { recursive: true, force: true })
  })
  return join(folder, 'program')
}

/** A Go program of our own: its source, and the modules (with versions) that it imports. */
export interface GoSource {
  readonly file: string
  readonly modules: readonly string[]
}

/** The program, built anew whenever its source or its modules change. */
export async function installGoSource({ file, modules }: GoSource): Promise<string> {
  const source = await readFile(file, 'utf8')
  const hash = createHash('sha256')
    .update(JSON.stringify([source, modules]))
    .digest('hex')
    .slice(0, 12)
  const folder = await installOnce(`${basename(file, '.go')}-${hash}`, 'go', ['go'], async (folder) => {
    const requires = modules.map((module) => `require ${module.replace('@', ' ')}\n`)
    await writeFile(join(folder, 'go.mod'), `module local-program\n\ngo 1.24\n\n${requires.join('')}`)
    await writeFile(join(folder, 'main.go'), source)
    await runTool('go', ['build', '-mod=mod', '-trimpath', '-o', 'program', '.'], {
      cwd: folder,
      timeoutMs: toolTimeoutMs,
    })
  })
  return join(folder, 'program')
}

/**
 * The folder `.cache/services/<name>`, filled by `fill` the first time. It appears as a whole, so an interrupted
 * installation leaves nothing half done; installations with one tool wait for each other, also across processes.
 */
export async function installOnce(
  name: string,
  tool: 'maven' | 'go' | 'archive',
  tools: readonly string[],
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const target = join(cacheFolder, name)
  if (existsSync(target)) return target
  requireTools(`installing ${name}`, tools)
  await mkdir(cacheFolder, { recursive: true })
  return await withLock(join(cacheFolder, `${tool}.lock`), async () => {
    if (existsSync(target)) return target
    const folder = await mkdtemp(`${target}.part-`)
    removeAtOurEnd(folder)
    try {
      await fill(folder)
      await rename(folder, target)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return target
  })
}

async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(file))) await sleep(lockPollMs)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function tryLock(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx')
    await handle.writeFile(String(process.pid))
    await handle.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isAbandoned(file)) await rm(file, { force: true })
    return false
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const text = await readFile(file, 'utf8')
    if (text === '') return Date.now() - (await stat(file)).mtimeMs > emptyLockMs
    process.kill(Number(text), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
