// `npm run check`: format, lint, dependency rules and types. Runs every step, so that all problems show at once.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDependencyProblems, readSourceFiles } from './dependency-rules.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const colours = process.stdout.isTTY ? '--colors=force' : '--colors=off'

interface Step {
  readonly name: string
  /** What mends it by itself, at least in part. */
  readonly mend?: string
  run(): boolean
}

function runNode(program: string, ...args: readonly string[]): boolean {
  return (
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    }).status === 0
  )
}

function dependencyRulesHold(): boolean {
  const problems = findDependencyProblems(readSourceFiles(root))
  for (const problem of problems) console.error(`  ${problem}`)
  return problems.length === 0
}

const steps: readonly Step[] = [
  {
    name: 'format and lint',
    mend: 'npm run format',
    run: () => runNode('@biomejs/biome/bin/biome', 'ci', colours, '--max-diagnostics=50', '.'),
  },
  { name: 'dependency rules', run: dependencyRulesHold },
  { name: 'types', run: () => runNode('typescript/bin/tsc', '-p', '.') },
]

const failed: string[] = []
for (const { name, mend, run } of steps) {
  console.log(`check: ${name} ...`)
  if (!run()) failed.push(mend ? `${name} (\`${mend}\` mends what it can)` : name)
}
console.log(failed.length === 0 ? `check: all ${steps.length} steps passed` : `check: failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
