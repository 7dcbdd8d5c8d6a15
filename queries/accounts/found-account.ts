import { accountText } from '#projections/entities/account-packing.ts'
import { type CurrentEntityRow, isAccount } from '#projections/entities/schema.ts'
import { type AccountRow, accountFields } from '#queries/accounts/reads.ts'
import { type EntityRows, findPast } from '#queries/common/find-version.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'

/** An account as it is shown: now as the fold has written it, of the past as its version says. */
export interface FoundAccount extends Pick<CurrentEntityRow, 'id' | 'deleted'> {
  /** `accountText` of it. */
  readonly shown: string
  /** There only where it was asked for. */
  readonly publicKey?: string | null
}

/** What is read of a current row: of the fields that it is shown with, there are four times as many. */
export const currentFields = ['id', 'from', 'deleted', 'shown'] as const
export const currentFieldsAndKey = [...currentFields, 'publicKey'] as const

export type CurrentRow = Pick<CurrentEntityRow, (typeof currentFields)[number]> &
  Partial<Pick<CurrentEntityRow, 'publicKey'>>

/** The accounts of the ids at the request's bound. */
export async function findAccountsNow(
  entities: EntityRows,
  ids: readonly bigint[],
  bound: Checkpoint,
  fields: typeof currentFields | typeof currentFieldsAndKey = currentFields,
): Promise<(FoundAccount | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  const found: readonly (CurrentRow | undefined)[] = await entities.get('entities', keys, fields)
  return accountsAtBound(entities, found, bound)
}

/** Current rows as accounts at the request's bound, in their order; undefined for what is, or was, none. */
export async function accountsAtBound(
  entities: EntityRows,
  found: readonly (CurrentRow | undefined)[],
  { time }: Checkpoint,
): Promise<(FoundAccount | undefined)[]> {
  if (found.every((row) => row === undefined || row.from <= time)) return found.map(currentAccount)
  return Promise.all(
    found.map(async (row) =>
      row && row.from > time
        ? versionOfAccount(await findPast(entities, row.id, time, fieldsAndKey))
        : currentAccount(row),
    ),
  )
}

const fieldsAndKey = [...accountFields, 'publicKey'] as const

function currentAccount(row: CurrentRow | undefined): FoundAccount | undefined {
  return row === undefined || row.shown === null ? undefined : (row as CurrentRow & { readonly shown: string })
}

export function versionOfAccount<R extends AccountRow>(
  row: R | undefined,
): (R & Pick<FoundAccount, 'shown'>) | undefined {
  return row !== undefined && isAccount(row) ? { ...row, shown: accountText(row) } : undefined
}
