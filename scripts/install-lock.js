// Plain JavaScript for any Node >= 20: one command of a checkout at a time, also where the one before was killed.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 100

/**
 * Takes the lock at `path` once nobody who lives holds it; `onWait` is told of the one who does, once. A lock names processes: it is
 * held as long as one of them runs, so whoever is killed need not release it.
 */
export async function takeLock(path, onWait = () => undefined) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  // One that is left over may be the lock of somebody who died, under a second name.
  rmSync(draft, { force: true })
  writeFileSync(draft, nameOf(process.pid))
  try {
    for (let isTold = false; !isLinked(draft, path); ) {
      const holder = readHolder(path)
      if (holder === undefined) continue
      if (!isAlive(holder)) {
        await removeDead(path, holder)
        continue
      }
      if (!isTold) onWait(holder)
      isTold = true
      await sleep(pollMs)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return {
    /** Whoever waits waits for this process, too: it may outlive us. */
    shareWith(pid) {
      writeFileSync(draft, `${nameOf(process.pid)} ${nameOf(pid)}`)
      renameSync(draft, path)
    },
    release: () => rmSync(path, { force: true }),
  }
}

/** Two may find the same dead holder, and the slower one must not remove the lock of who came after: so one removes at a time, and looks again. */
async function removeDead(path, holder) {
  const removal = await takeLock(`${path}.removal`)
  if (readHolder(path) === holder) rmSync(path)
  removal.release()
}

/** A link is made whole or not at all, with its text, and never in place of another. */
function isLinked(draft, path) {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readHolder(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A number alone may be another process later; where the kernel says when it began, that is part of its name. */
function nameOf(pid) {
  return `${pid}:${startOf(pid)}`
}

function startOf(pid) {
  try {
    // Behind the program's name, in which anything may stand.
    const [state, ...others] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return state === 'Z' ? 'ended' : others[18]
  } catch {
    return ''
  }
}

function isAlive(holder) {
  return holder.split(' ').some((name) => {
    const pid = Number(name.split(':')[0])
    return isThere(pid) && nameOf(pid) === name
  })
}

function isThere(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is one, too.
    return error.code === 'EPERM'
  }
}
