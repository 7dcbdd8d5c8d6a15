// Writes a read model to begin with, the first one of the guide under a name of its own: npm run new -- read-model <name>
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Example, exampleOf, guidePath, renamed, withAddition } from './new/guide.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const nameForm = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/

const [kind, name = '', ...rest] = process.argv.slice(2)
if (kind !== 'read-model' || rest.length > 0)
  refuse('what can be written is a read model: npm run new -- read-model <name>')
if (!nameForm.test(name))
  refuse(`"${name}" names no read model: small letters and digits, in words with a hyphen between, like token-mints`)
const example = renamed(exampleOf(root, 'node-fees'), 'node-fees', name)
assertNew(example)
writeExample(example)
const paths = [...example.files, ...example.additions].map(({ path }) => path)
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
const formatted = spawnSync(process.execPath, [biome, 'check', '--write', ...paths], { cwd: root, encoding: 'utf8' })
if (formatted.status !== 0) refuse(`what was written is not in form:\n${formatted.stdout}${formatted.stderr}`)
tell(example)

/** Before anything is written. */
function assertNew({ files, additions }: Example): void {
  const folders = files.map(({ path }) => dirname(path)).filter((path) => path.endsWith(`/${name}`))
  const there = [...folders, ...files.map(({ path }) => path)].find((path) => existsSync(join(root, path)))
  if (there !== undefined)
    refuse(`${there} is there already; choose another name, or take it away first (${guidePath})`)
  for (const { path, text } of additions) {
    const last = text.trim().split('\n').at(-1)!
    if (readFileSync(join(root, path), 'utf8').includes(last))
      refuse(`${path} has "${last}" already; choose another name, or take it away first (${guidePath})`)
  }
}

function writeExample({ files, additions }: Example): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const addition of additions) {
    const path = join(root, addition.path)
    writeFileSync(path, withAddition(readFileSync(path, 'utf8'), addition))
  }
}

function tell({ files, additions }: Example): void {
  const test = files.find(({ path }) => path.startsWith('test/'))?.path
  console.log(`Written:
${files.map(({ path }) => `  ${path}`).join('\n')}
Added to:
${additions.map(({ path }) => `  ${path}`).join('\n')}
It works as it is, and keeps what the guide's first example keeps. Next:
  npm test -- ${test}
  Say what you keep in schema.ts, fold it in projection.ts, answer in routes.ts: ${guidePath} says how.
  npm run check`)
}

function refuse(reason: string): never {
  console.error(`new: ${reason}`)
  process.exit(1)
}
