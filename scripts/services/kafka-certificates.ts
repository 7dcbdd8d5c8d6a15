import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireTools, runTool } from './run-tool.ts'

const days = '30'

/** PEM files of a certificate authority and of a server at 127.0.0.1 and localhost, made with openssl. */
export async function makeCertificates(
  folder: string,
): Promise<{ readonly authorityFile: string; readonly certificateChainFile: string }> {
  requireTools('TLS for the broker', ['openssl'])
  const openssl = (...args: readonly string[]) => runTool('openssl', args, { cwd: folder, timeoutMs: 60_000 })
  const authority = ['-keyout', 'authority.key', '-out', 'authority.pem', '-subj', '/CN=Local test authority']
  await openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', days, ...authority)
  await openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=127.0.0.1',
  )
  await writeFile(join(folder, 'names.cnf'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names.cnf']
  await openssl('x509', '-req', '-in', 'server.csr', ...signing, '-days', days, '-out', 'server.pem')
  const certificateChainFile = join(folder, 'server-chain.pem')
  const parts = ['server.key', 'server.pem', 'authority.pem']
  const texts = await Promise.all(parts.map((part) => readFile(join(folder, part), 'utf8')))
  await writeFile(certificateChainFile, texts.join(''))
  return { authorityFile: join(folder, 'authority.pem'), certificateChainFile }
}
