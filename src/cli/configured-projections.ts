import { contractLogs, contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { keptProjections } from '#projections/index.ts'
import type { Config } from '#src/config/schema.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'

/** Every read model, with the folds that depend on the configuration as it says. */
export function configuredProjections({
  contractLogs: options,
}: Pick<Config, 'contractLogs'>): readonly AnyProjection[] {
  return keptProjections.map((each) => (each === contractLogsProjection ? contractLogs(options) : each))
}
