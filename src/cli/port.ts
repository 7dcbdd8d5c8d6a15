import { createServer, type ListenOptions, type Server } from 'node:net'
import { LedgerError } from '#src/domain/errors.ts'

/** Throws when the API could not listen there. Nothing has been started yet, so nothing has to be undone. */
export async function assertPortIsFree(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await listenOn(server, { host, port, exclusive: true })
  } catch (error) {
    throw listenError(host, port, error)
  }
  await close(server)
}

/** Whether several threads of a process can listen on one address here, each on its own and the system between them. */
export async function canSharePort(host: string): Promise<boolean> {
  const server = createServer()
  try {
    await listenOn(server, { host, port: 0, reusePort: true })
  } catch {
    // Whatever else is wrong with the address is told to who listens on it alone.
    return false
  }
  await close(server)
  return true
}

/**
 * Keeps an address for this process until it ends, which threads are going to share. The system lets any process of the same
 * user share it then, and looking whether it is free tells nothing of one that does so in the same moment. So on Linux the
 * process takes a name beside it that only one may have, which the system gives back: an abstract socket, of the same network
 * name space. Elsewhere two processes that start within the same second would share the address.
 */
export async function claimPort(host: string, port: number): Promise<void> {
  await assertPortIsFree(host, port)
  if (process.platform !== 'linux') return
  const server = createServer((connection) => connection.destroy())
  try {
    await listenOn(server, { path: `\0ledger-history ${host} ${port}` })
  } catch (error) {
    throw listenError(host, port, error)
  }
  server.unref()
}

function listenOn(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** What a failed attempt to listen means to the person who started the service. */
export function listenError(host: string, port: number, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new LedgerError(
      'port_taken',
      `Port ${port} on ${host} is taken by another program; choose another with --port, or stop that program`,
      { host, port },
      error,
    )
  }
  if (code === 'EACCES') {
    return new LedgerError(
      'port_taken',
      `Port ${port} on ${host} may not be used by this user; choose one above 1023 with --port`,
      { host, port },
      error,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new LedgerError(
      'config_invalid',
      `This machine has no address ${host} to listen on; choose another with --host`,
      { host, port },
      error,
    )
  }
  return error
}
