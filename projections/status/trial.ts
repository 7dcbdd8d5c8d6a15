import { statusProjection } from '#projections/status/projection.ts'
import type { Row } from '#src/ports/read-store.ts'
import { TrialFold } from '#src/runtime/fold/trial-fold.ts'

const forgotten: Readonly<Record<string, Row>> = { updates: { body: '', html: '', affected: null } }

/** The read model's own fold, for those who decide. It keeps what later events build on, and no texts. */
export function newStatusTrial(): TrialFold {
  return new TrialFold({ projection: statusProjection, kept })
}

function kept(collection: string, row: Row): Row {
  // What is over is told of, and concerns nothing any more.
  if (collection === 'incidents' && row['phase'] === 'past') return { ...row, components: '[]' }
  return { ...row, ...forgotten[collection] }
}
