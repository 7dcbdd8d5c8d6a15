import type { Engines } from '#src/cli/engines.ts'
import { SeenLog } from '#src/operations/seen-log.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** Opens logs that are held against what this deployment has seen of them. */
export function seenLogs(
  engines: Pick<Engines, 'openLog' | 'logName'>,
  control: () => ControlStore | undefined,
): (generation: number, use?: 'read' | 'write') => Promise<MessageLog> {
  return async (generation, use = 'read') => {
    const log = await engines.openLog(generation, use)
    return new SeenLog({ log, generation, name: engines.logName(generation), control })
  }
}
