// Plain JavaScript for any Node >= 20: installs what is pinned where it is missing, then runs the given program on the
// Node 24 that the npm package `node` brings, or, where production dependencies alone were installed, on that of the machine. `npm start`, `npm test` and the bin all go through here.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, isInstalling, node24, root } from './install.js'

const product = join(root, 'src', 'cli', 'main.ts')
const shellWatchMs = 200
/** Of what Node makes of our modules, once for all threads and starts. git ignores it, and it may be removed at any time. */
const compileCache = join(root, '.cache', 'compiled')
/**
 * For glibc, which otherwise keeps what large buffers of several threads took, in eight heaps a core: some 100 MiB less for
 * importer and folds of a long ledger.
 */
const mallocSettings = {
  MALLOC_ARENA_MAX: String(Math.max(2, availableParallelism())),
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
}
/**
 * The importer in a process of its own has the young generation of its thread in `start` (`roleHeaps`), three semi-spaces: a third
 * less memory for blocks of 36 MiB than with what Node takes on a large machine.
 */
const importerFlags = ['--max-semi-space-size=4']

/** Whether somebody has installed for production here: npm wrote down that it installed, without what tests need. */
function isProductionInstall() {
  const installed = join(root, 'node_modules', '.package-lock.json')
  return existsSync(installed) && !readFileSync(installed, 'utf8').includes('"node_modules/vitest"')
}

/** Says what an installation for production lacks, and ends: tools for development have no place there. */
function refuseProduction() {
  const { dependencies } = manifestOf(root)
  const odd = Object.entries(dependencies)
    .filter(([name, version]) => manifestOf(join(root, 'node_modules', name))?.version !== version)
    .map(([name, version]) => `${name} ${version}`)
  console.error(
    odd.length > 0
      ? `This installation for production lacks ${odd.join(', ')}; run "npm ci --omit=dev" in ${root}`
      : `This installation for production needs Node 24 or newer, and this is ${process.version}; run it on a newer one`,
  )
  process.exit(78)
}

/** The Node of this machine, where it can run the product and somebody has installed exactly its production dependencies. */
function productionNode() {
  if (existsSync(node24) || isInstalling() || Number(process.versions.node.split('.')[0]) < 24) return undefined
  const { dependencies } = manifestOf(root)
  const isWhole = Object.entries(dependencies).every(
    ([name, version]) => manifestOf(join(root, 'node_modules', name))?.version === version,
  )
  return isWhole ? process.execPath : undefined
}

function manifestOf(folder) {
  const path = join(folder, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Runs `args` on Node 24 with this terminal; ends with its exit code. The child ends when this process disappears. */
export async function runOnNode24(args) {
  const own = args[0] === product ? productionNode() : undefined
  if (own === undefined && args[0] === product && isProductionInstall()) refuseProduction()
  if (own === undefined) await ensureInstalled()
  const node = own ?? node24
  const [program, ...verb] = args
  const heap = program === product && verb.slice(0, 2).join(' ') === 'import run' ? importerFlags : []
  const watch = pathToFileURL(join(root, 'scripts', 'end-with-parent.js')).href
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...heap, `--import=${watch}`, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: compileCache, ...mallocSettings, ...process.env, LEDGER_LAUNCHER: String(process.pid) },
  })
  // A terminal sends Ctrl-C to the whole group, so the child may get it twice: it takes signals of one moment as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  stopWithNpm(child)
  child.on('error', (error) => {
    console.error(`${node} does not run (${error.message}); run "npm rebuild node" in ${root}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/**
 * npm runs a script in a shell, and passes signals to that shell only. Some shells die of them without a word to their
 * child: then nobody is left who wants this program to run.
 */
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, shellWatchMs)
}
