import { createServer } from 'node:net'
import { LedgerError } from '#src/domain/errors.ts'

/** Throws when the API could not listen there. Nothing has been started yet, so nothing has to be undone. */
export async function assertPortIsFree(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    throw listenError(host, port, error)
  }
  await new Promise((resolve) => server.close(resolve))
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
