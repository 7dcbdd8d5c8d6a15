import { join } from 'node:path'
import { freePorts } from './ports.ts'
import { type LocalService, openServiceFolder, type ServiceOptions } from './service-folder.ts'
import { type ServiceCommand, ServiceProcess } from './service-process.ts'

interface Place {
  readonly folder: string
  readonly port: number
}

export interface SingleProcess {
  readonly name: string
  readonly options: ServiceOptions
  readonly address: (place: Place) => string
  readonly command: (place: Place) => Pick<ServiceCommand, 'command' | 'args' | 'env'>
  readonly isReady: (place: Place) => Promise<boolean>
  readonly readyWithinMs: number
}

/** Starts a service that is one program on one port. */
export async function startSingleProcess(service: SingleProcess): Promise<LocalService> {
  const { name, options, readyWithinMs } = service
  const folder = openServiceFolder(name, options)
  const [port = 0] = options.port === undefined ? await freePorts(1) : [options.port]
  const place = { folder: folder.path, port }
  try {
    const running = await ServiceProcess.start({
      name,
      cwd: folder.path,
      logFile: join(folder.path, `${name}.log`),
      lifetime: options.lifetime ?? 'ours',
      ...service.command(place),
      isReady: () => service.isReady(place),
      readyWithinMs,
    })
    return {
      address: service.address(place),
      folder: folder.path,
      logFile: running.logFile,
      get pids() {
        return running.pid === undefined ? [] : [running.pid]
      },
      kill: () => running.kill(),
      restart: () => running.restart(),
      signal: (signal) => running.signal(signal),
      async stop() {
        await running.stop()
        await folder.remove()
      },
    }
  } catch (error) {
    await folder.remove()
    throw error
  }
}
