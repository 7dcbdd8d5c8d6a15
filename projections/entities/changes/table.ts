import { accountEffects } from '#projections/entities/changes/accounts.ts'
import { contractEffects } from '#projections/entities/changes/contracts.ts'
import type { EntityEffect } from '#projections/entities/changes/effect.ts'
import { fileEffects } from '#projections/entities/changes/files.ts'
import { scheduleEffects } from '#projections/entities/changes/schedules.ts'
import { systemEffects } from '#projections/entities/changes/system.ts'
import { tokenEffects } from '#projections/entities/changes/tokens.ts'
import { topicEffects } from '#projections/entities/changes/topics.ts'

/** What each transaction type does to its entity, by the type's number; most do nothing. */
export const effectsByType: readonly (EntityEffect | undefined)[] = tableOf()

function tableOf(): (EntityEffect | undefined)[] {
  const table: (EntityEffect | undefined)[] = []
  const all = [
    ...accountEffects,
    ...contractEffects,
    ...fileEffects,
    ...systemEffects,
    ...topicEffects,
    ...tokenEffects,
    ...scheduleEffects,
  ]
  for (const [type, effect] of all) table[type] = effect
  return table
}
