// Writes every generated file: npm run generate. With --release <number> it first keeps the event schemas as that release.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eventTypes } from '#src/events/event-types.ts'
import { generateFiles } from './generate/outputs.ts'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { release: { type: 'string' } } })

writeAll()
if (values.release !== undefined) {
  keepRelease(values.release)
  writeAll()
}
// Only now: what these pages are made from imports files that were generated above.
const { renderDocs } = await import('./generate/docs.ts')
writeFiles(renderDocs())

function writeAll(): void {
  writeFiles(generateFiles(repository))
}

function writeFiles(files: ReadonlyMap<string, string>): void {
  for (const [path, contents] of files) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), contents)
    console.log(`${path} (${contents.length} characters)`)
  }
}

/** A release is what subscribers may have stored events of: it is never changed again. */
function keepRelease(number: string): void {
  const folder = join(repository, 'schemas/events/released', number)
  if (existsSync(folder)) {
    console.error(`Release ${number} exists already in ${folder}; releases are never changed, choose the next number`)
    process.exit(1)
  }
  mkdirSync(folder, { recursive: true })
  for (const type of eventTypes) {
    copyFileSync(join(repository, 'schemas/events', `${type}.avsc`), join(folder, `${type}.avsc`))
  }
}
