import type { CaseRows } from '#test/conformance/case-file.ts'
import { airdropStatements } from '#test/conformance/state/airdrops.ts'
import { allowanceStatements } from '#test/conformance/state/allowances.ts'
import { balanceStatements } from '#test/conformance/state/balances.ts'
import { contractExecutionStatements } from '#test/conformance/state/contract-executions.ts'
import { contractLogStatements } from '#test/conformance/state/contract-logs.ts'
import { contractStatements } from '#test/conformance/state/contracts.ts'
import { customFeeStatements } from '#test/conformance/state/custom-fees.ts'
import { entityStatements } from '#test/conformance/state/entities.ts'
import { fileStatements } from '#test/conformance/state/files.ts'
import { hookStatements } from '#test/conformance/state/hooks.ts'
import { networkStatements } from '#test/conformance/state/network.ts'
import { nftStatements } from '#test/conformance/state/nfts.ts'
import { scheduleStatements } from '#test/conformance/state/schedules.ts'
import { stakingStatements } from '#test/conformance/state/staking.ts'
import type { Statement, StateTranslator } from '#test/conformance/state/statement.ts'
import { tokenStatements } from '#test/conformance/state/tokens.ts'
import { topicStatements } from '#test/conformance/state/topics.ts'

/** One per group of tables; tables without one are not asked about yet, or are derived from others. */
const translators: readonly StateTranslator[] = [
  entityStatements,
  balanceStatements,
  stakingStatements,
  hookStatements,
  networkStatements,
  tokenStatements,
  customFeeStatements,
  topicStatements,
  scheduleStatements,
  fileStatements,
  contractLogStatements,
  allowanceStatements,
  airdropStatements,
  nftStatements,
  contractStatements,
  contractExecutionStatements,
]

/** What the rows of state say, of one subject in ascending order of time. */
export function statementsOf(rows: CaseRows): Statement[] {
  return translators.flatMap((translate) => translate(rows))
}
