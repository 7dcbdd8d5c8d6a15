import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { failedOutcome, outcomeOf, verbName } from '#src/cli/outcome.ts'
import { createProgram } from '#src/cli/program.ts'
import { LedgerError } from '#src/domain/errors.ts'

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

it('every verb takes --json', () => {
  const lacking = leavesOf(createProgram()).filter(({ options }) => !options.some(({ long }) => long === '--json'))
  expect(lacking.map(verbName)).toEqual([])
})

it('an outcome has the sentences, and apart from them the commands to run next', () => {
  expect(
    outcomeOf(
      'projections prune',
      ['Removed blocks v1; next: ledger-history a', 'two\nlines', 'next: ledger-history b'],
      {
        removed: 1,
      },
    ),
  ).toEqual({
    verb: 'projections prune',
    ok: true,
    text: ['Removed blocks v1; next: ledger-history a', 'two', 'lines'],
    next: ['ledger-history a', 'ledger-history b'],
    data: { removed: 1 },
  })
})

it('a failure says its code, whether it may pass, and the exit code', () => {
  expect(failedOutcome('serve', new LedgerError('store_unavailable', 'It is away'))).toEqual({
    verb: 'serve',
    ok: false,
    error: { code: 'store_unavailable', message: 'It is away', mayPass: true, exitCode: 75 },
  })
  expect(failedOutcome('serve', new Error('odd')).error).toMatchObject({ code: null, mayPass: false, exitCode: 1 })
})
