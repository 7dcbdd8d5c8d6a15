// Loaded into the program that the launcher starts: when the launcher disappears, whatever the reason, the program is
// asked to stop as if by SIGTERM. Processes and threads that the program starts in turn do not watch the launcher.
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel && process.env.LEDGER_LAUNCHER === String(process.ppid)) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The listener alone would keep the program running for ever.
  process.channel.unref()
}
