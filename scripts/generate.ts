// Writes every generated file: npm run generate. With --release <number> it first keeps the event schemas as that release,
// with --decisions-release <number> those of decisions.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { statusEventSchemas } from '#schemas/decisions/status.ts'
import { verificationEventSchemas } from '#schemas/decisions/verification.ts'
import { eventTypes } from '#src/events/event-types.ts'
import { generateFiles } from './generate/outputs.ts'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const options = { release: { type: 'string' }, 'decisions-release': { type: 'string' } } as const
const { values } = parseArgs({ options })

writeAll()
if (values.release !== undefined) {
  keepRelease(values.release)
  writeAll()
}
if (values['decisions-release'] !== undefined) keepDecisionsRelease(values['decisions-release'])
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

/** The same of decisions, which are JSON: what was written stays readable for ever. */
function keepDecisionsRelease(number: string): void {
  const file = join(repository, 'schemas/decisions/released', `${number}.json`)
  if (existsSync(file)) {
    console.error(`Release ${number} exists already in ${file}; releases are never changed, choose the next number`)
    process.exit(1)
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...statusEventSchemas, ...verificationEventSchemas }, null, 2)}\n`)
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
