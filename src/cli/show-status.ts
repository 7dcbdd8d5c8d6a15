import type { Terminal } from '#src/cli/terminal.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { StatusBoard } from '#src/runtime/status.ts'

const statusIntervalMs = { live: 500, logged: 5_000 } as const

/** Keeps the status line up to date, or logs it where lines cannot be rewritten. Returns what ends that. */
export function showStatus(board: StatusBoard, terminal: Terminal, logger: Logger): () => void {
  const show = (): void => {
    if (board.isEmpty) return
    if (terminal.isLive) terminal.setStatus(board.line())
    else logger.info(board.fields(), 'status')
  }
  const timer = setInterval(show, terminal.isLive ? statusIntervalMs.live : statusIntervalMs.logged)
  return () => {
    clearInterval(timer)
    terminal.setStatus('')
  }
}
