import { type CaseFile, type CaseRequest, readCaseFile } from '#test/conformance/case-file.ts'
import { type CaseEngines, type EngineChoice, openCaseEngines } from '#test/conformance/engines.ts'
import { type CaseOutcome, runCases } from '#test/conformance/run-case.ts'

export interface FileOutcome {
  readonly file: string
  readonly content: CaseFile
  readonly result: CaseOutcome
}

/** Ledgers loaded at once: topics take their time to be made, but stores of one writer only get slower. */
const loadedAtOnce = { embedded: 4, mongodb: 2 } as const

interface ReadFile {
  readonly file: string
  readonly content: CaseFile
}

/** Runs every case that has a request wanted, those with the same rows after one load; in the order of the files. */
export async function runFiles(
  files: readonly string[],
  wanted: (request: CaseRequest) => boolean,
  choice: EngineChoice,
): Promise<FileOutcome[]> {
  const read = files.map((file): ReadFile => ({ file, content: readCaseFile(file) }))
  const asked = read.filter(({ content }) => content.requests.some(wanted))
  const groups = Map.groupBy(asked, ({ content }) => rowsText(content))
  const outcomes = new Map<string, FileOutcome>()
  const engines = await openCaseEngines(choice)
  const queue = groups.values()
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    for (const group of queue) {
      if (failures.length > 0) return
      for (const outcome of await runGroup(group, wanted, engines)) outcomes.set(outcome.file, outcome)
    }
  }
  // Engines are closed when nobody works on them any more, also where one of the loads failed.
  const workers = Array.from({ length: loadedAtOnce[choice.store] }, () =>
    work().catch((error) => failures.push(error)),
  )
  await Promise.all(workers)
  await engines.close()
  if (failures.length > 0) throw failures[0]
  return files.flatMap((file) => outcomes.get(file) ?? [])
}

async function runGroup(
  group: readonly ReadFile[],
  wanted: (request: CaseRequest) => boolean,
  engines: CaseEngines,
): Promise<FileOutcome[]> {
  const contents = group.map(({ content }) => content)
  const results = await runCases(contents, wanted, engines)
  return group.map((each, index) => ({ ...each, result: results[index]! }))
}

/** Equal for ledgers with the same rows. */
function rowsText({ rows }: CaseFile): string {
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
