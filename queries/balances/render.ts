import { hbar } from '#projections/balances/schema.ts'
import type { ListedBalance } from '#queries/balances/find-balances.ts'
import type { BalanceHistory, HistoryPoint } from '#queries/balances/find-history.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { int64, text } from '#queries/common/object-schema.ts'
import { entityText, timeText } from '#src/domain/json-text.ts'

type Holding = ListedBalance['tokens'][number]

const nullable = { ...int64, nullable: true }
const tinybars = { ...text, description: 'tinybar' }

interface Supply {
  readonly released: bigint
  readonly total: bigint
  readonly timestamp: bigint
}

export const supplyObject = defineObject<Supply>(
  {
    released_supply: [tinybars, ({ released }) => `"${released}"`],
    timestamp: [
      { ...text, description: 'Last change of what is not released' },
      ({ timestamp }) => timeText(timestamp),
    ],
    total_supply: [tinybars, ({ total }) => `"${total}"`],
  },
  { title: 'Supply' },
)

const holdingObject = defineObject<Holding>({
  token_id: [text, ({ token }) => entityText(token)],
  balance: [int64, ({ balance }) => balance],
})

export const balanceObject = defineObject<ListedBalance>(
  {
    account: [text, ({ account }) => entityText(account)],
    balance: [{ ...nullable, description: 'tinybar' }, ({ balance }) => balance],
    tokens: [{ type: 'array', items: holdingObject.schema }, ({ tokens }) => `[${tokens.map(holdingObject.render)}]`],
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
        ...nullable,
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
    token_id: [
      { ...text, nullable: true, description: 'null: hbar' },
      ({ token }) => (token === hbar ? null : entityText(token)),
    ],
  },
  { title: 'BalanceHistory' },
)

/** null where what was stated later contradicts what was counted. */
interface Count {
  readonly holders: bigint | null
  readonly timestamp: bigint
}

const timeOfCount = [
  { ...text, description: 'Of when this is' },
  ({ timestamp }: Count) => timeText(timestamp),
] as const

export const accountCountObject = defineObject<Count & { readonly accounts: bigint | null }>(
  {
    accounts: [
      { ...nullable, description: 'Accounts and contracts whose balance is known, deleted ones as well' },
      ({ accounts }) => accounts,
    ],
    holders: [{ ...nullable, description: 'Those of them that hold hbar' }, ({ holders }) => holders],
    timestamp: timeOfCount,
  },
  { title: 'AccountCount' },
)

export const holderCountObject = defineObject<Count & { readonly token: bigint }>(
  {
    holders: [
      { ...nullable, description: 'Accounts that may hold the token and hold more than nothing of it' },
      ({ holders }) => holders,
    ],
    timestamp: timeOfCount,
    token_id: [text, ({ token }) => entityText(token)],
  },
  { title: 'HolderCount' },
)
