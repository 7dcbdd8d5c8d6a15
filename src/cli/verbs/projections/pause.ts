import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { watched, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { pauseInstance, resumeInstance } from '#src/operations/pause.ts'

interface Options {
  readonly version?: string
  readonly wait: string
}

const pauseExamples = `  ledger-history projections pause transactions
  ledger-history projections pause transactions --version 2    an instance that does not serve`

const resumeExamples = `  ledger-history projections resume transactions
  ledger-history projections resume transactions --version 2`

export function addProjectionsPause(group: Command): void {
  const command = group.command('pause').argument('<name>', 'read model')
  command.description('Stop bringing an instance of a read model forward; it goes on answering requests')
  addPauseOptions(command, pauseExamples)
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait } = command.opts<Options>()
        const { id, wasPaused } = await pauseInstance(watched(deployment), name, instanceIdOf(version), waitMsOf(wait))
        const next = deployment.next(`projections resume ${name}${versionFlag(version, id)}`)
        if (wasPaused) {
          const message = `${name} v${id} is paused already, and nobody brings it forward; to let it go on, run "${next}"`
          throw new LedgerError('operation_refused', message, { name, id })
        }
        Object.assign(verb.outcome, { name, id })
        verb.terminal.print(`Paused ${name} v${id}; next: ${next}`)
      }),
    ),
  )
}

export function addProjectionsResume(group: Command): void {
  const command = group.command('resume').argument('<name>', 'read model')
  command.description('Bring a paused instance of a read model forward again')
  addPauseOptions(command, resumeExamples)
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait } = command.opts<Options>()
        const { id, owner, runner } = await resumeInstance(
          watched(deployment),
          name,
          instanceIdOf(version),
          waitMsOf(wait),
        )
        Object.assign(verb.outcome, { name, id, owner: owner ?? null })
        verb.terminal.print(
          owner === undefined
            ? `Resumed ${name} v${id}, but no process has taken it up; next: ${deployment.next(runner)}`
            : `Resumed ${name} v${id}, run by ${owner}; next: ${deployment.next('projections status')}`,
        )
      }),
    ),
  )
}

function addPauseOptions(command: Command, examples: string): void {
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the serving one unless given)')
  command.option('--wait <seconds>', 'how long running processes may take to follow', '30')
  addDeploymentOptions(command, examples)
}

function waitMsOf(text: string): number {
  return wholeNumber(text, '--wait', 0)! * 1_000
}

function versionFlag(version: string | undefined, id: string): string {
  return version === undefined ? '' : ` --version ${id}`
}
