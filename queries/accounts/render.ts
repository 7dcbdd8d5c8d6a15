import { accountMembers } from '#projections/entities/render.ts'
import type { FoundAccount } from '#queries/accounts/found-account.ts'
import type { AccountBalance } from '#queries/balances/find-account-balances.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { timeText } from '#src/domain/json-text.ts'

export type ShownBalance = Omit<AccountBalance, 'account'>

/** What an account's object is made of besides the entity. */
export interface AccountParts {
  /** null: not asked for. */
  readonly balance: ShownBalance | null
  /** tinybar; what its stake has earned, of which the network pays nothing to an account that is deleted. */
  readonly pendingReward: bigint
}

/** The members of an account's object as JSON text, without the braces: the detail adds its transactions. */
export function renderAccount({ shown, deleted }: FoundAccount, { balance, pendingReward }: AccountParts): string {
  return accountMembers(shown, renderBalance(balance), deleted === 1 ? 0n : pendingReward)
}

function renderBalance(balance: ShownBalance | null): string {
  if (balance === null) return 'null'
  let tokens = ''
  for (const { token, balance: units } of balance.tokens)
    tokens += `${tokens === '' ? '' : ','}{"token_id":"${formatEntityId(token)}","balance":${units}}`
  return `{"balance":${balance.balance},"timestamp":${timeText(balance.timestamp)},"tokens":[${tokens}]}`
}
