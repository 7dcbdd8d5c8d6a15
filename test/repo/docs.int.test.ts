import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCatalogue } from '#src/domain/errors.ts'
import { renderDocs } from '../../scripts/generate/docs.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'))

describe('documentation', () => {
  it.each([...renderDocs()])('%s is what the code generates now (npm run generate)', (path, text) => {
    expect(read(path)).toBe(text)
  })

  it('says of every error of the catalogue what to do, with its disposition and status', () => {
    const page = read('docs/reference/errors.md')
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (\d+) \| \S/gm)].map(([, code, disposition, status]) => [
        code,
        { disposition, status: Number(status) },
      ]),
    )
    expect(Object.fromEntries(rows)).toEqual(errorCatalogue)
  })

  it('names every metric that the code defines, and no other', () => {
    const files = [
      'src/runtime/watch/metrics.ts',
      'src/runtime/watch/request-durations.ts',
      'src/runtime/watch/stream-metrics.ts',
      'src/cli/roles/serve-figures.ts',
    ]
    const source = files.map(read).join('\n')
    const defined = [
      ...[...source.matchAll(/'(ledger_[a-z_]+)'/g)].map(([, name]) => name),
      ...[...source.matchAll(/(?:gauge\(|projectionCounter\(\s*registry,\s*)'([a-z_]+)'/g)].map(
        ([, name]) => `ledger_projection_${name}`,
      ),
    ]
    const described = [...read('docs/reference/metrics.md').matchAll(/^\| `(ledger_[a-z_]+)`/gm)].map(
      ([, name]) => name,
    )
    expect(described.toSorted()).toEqual(defined.toSorted())
  })

  it.each(pages)('%s links only to files that are there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!)
    const missing = links.filter((link) => !existsSync(join(root, dirname(page), link)))
    expect(missing).toEqual([])
  })

  it('leaves a clone that follows it clean: git ignores every data folder of its examples', () => {
    const folders = pages.flatMap((page) =>
      [...read(page).matchAll(/--data ([a-z][\w-]*)/g)].map(([, name]) => `${name}/x`),
    )
    const ignored = execFileSync('git', ['check-ignore', '--stdin'], { cwd: root, input: folders.join('\n') })
    expect(ignored.toString().trim().split('\n')).toEqual(folders)
  })

  it('names for a release every folder that the image has', () => {
    const [, named = ''] = /What is needed of a release is ([^:]+):/.exec(read('docs/operations.md')) ?? []
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--)([a-z]+) /gm)].map(([, folder]) => `\`${folder}\``)
    expect(copied).toContain('`commands`')
    expect(copied.filter((folder) => !named.includes(folder))).toEqual([])
  })

  it.each(pages)('%s names no path of one machine', (page) => {
    expect(read(page)).not.toMatch(/\/(work|root|home\/\w+|tmp)\//)
  })
})
