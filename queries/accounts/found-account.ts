import { accountText } from '#projections/entities/render.ts'
import { type CurrentEntityRow, isAccount } from '#projections/entities/schema.ts'
import { type AccountRow, accountFields } from '#queries/accounts/reads.ts'
import type { EntityRows } from '#queries/common/find-version.ts'
import { numberBits } from '#src/domain/entity-id.ts'

/** An account as it is shown: now as the fold has written it, of the past as its version says. */
export interface FoundAccount extends Pick<CurrentEntityRow, 'id' | 'deleted' | 'memo'> {
  /** `accountText` of it. */
  readonly shown: string
  /** There only where it was asked for. */
  readonly publicKey?: string | null
}

/** What is read of a row: of the fields that it is shown with, there are four times as many. */
export const currentFields = ['id', 'deleted', 'memo', 'shown'] as const
export const currentFieldsAndKey = [...currentFields, 'publicKey'] as const

export type CurrentRow = Pick<CurrentEntityRow, (typeof currentFields)[number]> &
  Partial<Pick<CurrentEntityRow, 'publicKey'>>

/** The accounts of the ids. */
export async function findAccountsNow(
  entities: EntityRows,
  ids: readonly bigint[],
  fields: typeof currentFields | typeof currentFieldsAndKey = currentFields,
): Promise<(FoundAccount | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  const found: readonly (CurrentRow | undefined)[] = await entities.get('entities', keys, fields)
  return accountsOf(entities, found)
}

/** Rows as accounts, in their order; undefined for what is none. What is not written as it is shown is no account, or has changed since. */
export async function accountsOf(
  entities: EntityRows,
  rows: readonly (CurrentRow | undefined)[],
): Promise<(FoundAccount | undefined)[]> {
  const ids = rows.flatMap((row) => (row?.shown === null ? [[row.id] as const] : []))
  if (ids.length === 0) return rows as (FoundAccount | undefined)[]
  const whole = (await entities.get('entities', ids, accountFields)).map(versionOfAccount)
  const shown = new Map(whole.map((row) => [row?.id, row?.shown]))
  return rows.map((row) => {
    const text = row && (row.shown ?? shown.get(row.id))
    return row && text !== undefined ? { ...row, shown: text } : undefined
  })
}

export function versionOfAccount<R extends AccountRow>(
  row: R | undefined,
): (R & Pick<FoundAccount, 'shown'>) | undefined {
  return row !== undefined && isAccount(row) ? { ...row, shown: accountText(row) } : undefined
}

/** A stand-in that the established service made for networks that it knows the treasury of by balances only. */
export function isSyntheticTreasury({ id, memo }: Pick<FoundAccount, 'id' | 'memo'>): boolean {
  return memo === 'Mirror node created synthetic treasury account' && BigInt.asUintN(numberBits, id) === 2n
}
