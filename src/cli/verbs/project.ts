import type { Command } from 'commander'
import { type DataFolder, folderOf } from '#src/cli/data-folder.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { laneCount, startLanes } from '#src/cli/lanes.ts'
import { networkOfDeployment } from '#src/cli/log-network.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { RolePool } from '#src/cli/role-pool.ts'
import { runRole } from '#src/cli/run-role.ts'
import { runVerb, stopsSoon, type VerbContext } from '#src/cli/run-verb.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import { formatProjections } from '#src/cli/verbs/projections/format.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

const examples = `
Examples:
  ledger-history project                          keep all read models up to date with the log
  ledger-history project --only transactions      only this one
  ledger-history project --once                   up to the end of the log, then end`

export function addProject(program: Command): void {
  const command = program.command('project').description('Keep read models up to date with the log')
  addConfigOptions(command, [
    ...deploymentGroups,
    'once',
    'projection',
    'scrub',
    'contractLogs',
    'output.publish',
    'output.batchEventsMax',
    'log',
  ])
  command.option('--only <name...>', 'names of the projections to run').addHelpText('after', examples)
  command.action(() =>
    runVerb(
      command,
      async (verb) => {
        const folder = folderOf(verb.config, undefined, 'existing')
        await networkOfDeployment(verb.config, folder, verb.logger)
        const { only } = command.opts<{ only?: string[] }>()
        const board = await projectOnLanes(verb, folder, only)
        verb.terminal.print(formatProjections(board.projections))
      },
      stopsSoon,
    ),
  )
}

/** In this thread where there is one lane, so that no other is paid for. */
async function projectOnLanes(
  verb: VerbContext,
  folder: DataFolder,
  only: readonly string[] | undefined,
): Promise<StatusBoard> {
  const { config, logger, terminal, signal } = verb
  const lanes = { config, folder, logger, ...(only ? { only } : {}) }
  if (laneCount(lanes) === 1) {
    const { project } = await import('#src/cli/roles/project.ts')
    return runRole(project, { verb, folder, ...(only ? { only } : {}), finish: config.once })
  }
  const board = new StatusBoard(() => performance.now())
  const pool = new RolePool({
    settings: { config, folder },
    logger,
    onLog: (line) => terminal.log(line),
    onReport: (report, thread) => {
      if (report.kind === 'projections') board.setProjections(report.projections, thread)
    },
  })
  const stopShowing = showStatus(board, terminal, logger)
  try {
    const threads = await startLanes(pool, lanes)
    const finished = config.once ? Promise.all(threads.map((thread) => pool.finish(thread))) : pool.failed
    await Promise.race([finished, untilAborted(signal)])
  } finally {
    stopShowing()
    await pool.stop()
  }
  return board
}
