import { type ChildProcess, spawn } from 'node:child_process'

// The shell keeps a list of what belongs to us and waits for our end of its input to close, which happens however we die.
const script = `
trap '' INT TERM HUP
pids= folders=
while read -r word value; do
  case $word in
    pid) pids="$pids $value" ;;
    gone) rest=; for pid in $pids; do [ "$pid" = "$value" ] || rest="$rest $pid"; done; pids=$rest ;;
    folder) folders="$folders$value
" ;;
  esac
done
[ -z "$pids" ] || kill -s KILL -- $pids 2>/dev/null
printf %s "$folders" | while read -r folder; do rm -rf "$folder"; done
`

let guard: ChildProcess | undefined

function tell(line: string): void {
  guard ??= startGuard()
  guard.stdin?.write(`${line}\n`)
}

function startGuard(): ChildProcess {
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.unref()
  // It must not keep us running.
  const input = child.stdin as unknown as { unref?: () => void } | null
  input?.unref?.()
  return child
}

/** The process, which leads a group, is killed with its whole group when this one ends, even by `kill -9`. */
export function killAtOurEnd(pid: number): void {
  tell(`pid -${pid}`)
}

/** The process has ended: its number may soon be another's. */
export function forget(pid: number): void {
  tell(`gone -${pid}`)
}

/** The folder is removed when this process ends. */
export function removeAtOurEnd(folder: string): void {
  tell(`folder ${folder}`)
}
