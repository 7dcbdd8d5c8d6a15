import type { Terminal } from '#src/cli/terminal.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { StatusBoard } from '#src/runtime/watch/status.ts'

const statusIntervalMs = { live: 500, logged: 5_000 } as const
/** While nothing but the ledger's own growth is to be told, the log stays short. */
const quietIntervalMs = 600_000

/**
 * Keeps the status line up to date, or logs it where lines cannot be rewritten. Reports count beside the timer, since a
 * role in this same thread may keep timers waiting. Returns what ends it.
 */
export function showStatus(board: StatusBoard, terminal: Terminal, logger: Logger): () => void {
  const intervalMs = terminal.isLive ? statusIntervalMs.live : statusIntervalMs.logged
  const showNow = terminal.isLive
    ? () => terminal.setStatus(board.isEmpty ? '' : board.line(terminal.width))
    : statusLogging(board, logger)
  let shownMs = performance.now()
  const show = (): void => {
    shownMs = performance.now()
    showNow()
  }
  const timer = setInterval(show, intervalMs)
  board.onChange = () => {
    if (performance.now() - shownMs >= intervalMs) show()
  }
  return () => {
    clearInterval(timer)
    board.onChange = undefined
    terminal.setStatus('')
  }
}

/** Logs the status when it is the first, while catching up, when a problem or a pause comes or goes, and else now and then. */
function statusLogging(board: StatusBoard, logger: Logger): () => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  let said: string | undefined
  return () => {
    if (board.isEmpty) return
    const nowMs = performance.now()
    const notable = JSON.stringify([board.import?.problem, board.paused])
    const hasChanged = said !== undefined && notable !== said
    if (!hasChanged && !board.isCatchingUp && nowMs - loggedMs < quietIntervalMs) return
    said = notable
    loggedMs = nowMs
    logger.info(board.fields(), 'status')
  }
}
