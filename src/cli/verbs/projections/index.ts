import type { Command } from 'commander'
import { addProjectionsList } from '#src/cli/verbs/projections/list.ts'
import { addProjectionsParked } from '#src/cli/verbs/projections/parked.ts'
import { addProjectionsPause, addProjectionsResume } from '#src/cli/verbs/projections/pause.ts'
import { addProjectionsPromote, addProjectionsRollback } from '#src/cli/verbs/projections/promote.ts'
import { addProjectionsPrune } from '#src/cli/verbs/projections/prune.ts'
import { addProjectionsRebuild } from '#src/cli/verbs/projections/rebuild.ts'
import { addProjectionsRetire } from '#src/cli/verbs/projections/retire.ts'
import { addProjectionsScrub } from '#src/cli/verbs/projections/scrub.ts'
import { addProjectionsStatus } from '#src/cli/verbs/projections/status.ts'
import { addProjectionsVerify } from '#src/cli/verbs/projections/verify.ts'

/** The verbs of `projections`, in the order of an operator's day. */
export const projectionVerbs: readonly ((group: Command) => void)[] = [
  addProjectionsList,
  addProjectionsStatus,
  addProjectionsRebuild,
  addProjectionsVerify,
  addProjectionsScrub,
  addProjectionsPromote,
  addProjectionsRollback,
  addProjectionsPrune,
  addProjectionsRetire,
  addProjectionsPause,
  addProjectionsResume,
  addProjectionsParked,
]
