import type { ListedBalance } from '#queries/balances/find-balances.ts'
import type { BalanceHistory, HistoryPoint } from '#queries/balances/find-history.ts'
import type { TotalBalance } from '#queries/balances/find-unreleased.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { int64, text } from '#queries/common/object-schema.ts'
import { entityText, idText, timeText } from '#src/domain/json-text.ts'

/** tinybar; all that ever was and will be. */
export const totalSupply = 5_000_000_000_000_000_000n

const tinybars = { ...text, description: 'tinybar' }

/** From what is not released. */
export const supplyObject = defineObject<TotalBalance>(
  {
    released_supply: [tinybars, ({ balance }) => `"${totalSupply - balance}"`],
    timestamp: [{ ...text, description: 'Last change of what is not released' }, (total) => timeText(total.timestamp)],
    total_supply: [tinybars, () => `"${totalSupply}"`],
  },
  { title: 'Supply' },
)

export const balanceObject = defineObject<ListedBalance>(
  {
    account: [text, ({ account }) => entityText(account)],
    balance: [{ ...int64, nullable: true, description: 'tinybar' }, ({ balance }) => balance],
    tokens: [
      { type: 'array', items: { type: 'object', properties: { token_id: text, balance: int64 } } },
      ({ tokens }) => `[${tokens.map((held) => `{"token_id":${entityText(held.token)},"balance":${held.balance}}`)}]`,
    ],
  },
  { title: 'Balance' },
)

/** Of lists of balances. */
export const balancesTimeSchema = {
  timestamp: { ...text, nullable: true, description: 'Newest change of a balance that the answer reflects' },
}

const pointObject = defineObject<HistoryPoint>(
  {
    balance: [
      {
        ...int64,
        nullable: true,
        description: 'tinybar, or smallest units; null when unknown, or while the account may not hold the token',
      },
      ({ balance }) => balance,
    ],
    timestamp: [text, ({ time }) => timeText(time)],
  },
  { title: 'BalancePoint' },
)

export const historyObject = defineObject<BalanceHistory & { readonly account: bigint; readonly token: bigint }>(
  {
    account: [text, ({ account }) => entityText(account)],
    balances: [{ type: 'array', items: pointObject.schema }, ({ points }) => `[${points.map(pointObject.render)}]`],
    every_change: [
      {
        type: 'boolean',
        description:
          'true: what it was when the window begins, and every change in it; false: those are too many, and this is what it was at instants in equal distances',
      },
      ({ isWhole }) => isWhole,
    ],
    token_id: [{ ...text, nullable: true, description: 'null: hbar' }, ({ token }) => idText(token)],
  },
  { title: 'BalanceHistory' },
)

/** Shown as null where what was stated later contradicts what was counted. */
type Count = bigint | undefined
const count = { ...int64, nullable: true }

export const accountCount = defineObject<{ readonly accounts: Count; readonly holders: Count; readonly time: bigint }>(
  {
    accounts: [
      { ...count, description: 'Accounts and contracts whose balance is known, deleted ones as well' },
      ({ accounts }) => accounts ?? null,
    ],
    holders: [{ ...count, description: 'Those of them that hold hbar' }, ({ holders }) => holders ?? null],
    timestamp: [{ ...text, description: 'Of when this is' }, ({ time }) => timeText(time)],
  },
  { title: 'AccountCount' },
)

export const holderCount = defineObject<{ readonly holders: Count; readonly time: bigint; readonly token: bigint }>(
  {
    holders: [
      { ...count, description: 'Accounts that may hold the token and hold more than nothing of it' },
      ({ holders }) => holders ?? null,
    ],
    timestamp: [{ ...text, description: 'Of when this is' }, ({ time }) => timeText(time)],
    token_id: [text, ({ token }) => entityText(token)],
  },
  { title: 'HolderCount' },
)
