import { type BlockInputOptions, type OpenBlockInput, openBlockInput } from '#src/cli/importing/block-input.ts'
import { openStreamSource } from '#src/cli/importing/stream-source.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

/** What an importer reads, in both forms of a network's output. */
export interface ImportInputs {
  /** Of record files. */
  readonly source: StreamSource
  /** Undefined where only record files are read. */
  readonly blocks: OpenBlockInput | undefined
  close(): Promise<void>
}

export interface ImportInputsOptions extends Omit<BlockInputOptions, 'network'> {
  readonly settings: Pick<ImporterSettings, 'stream' | 'network'>
}

/** Opens what is configured, as far as it is read. */
export async function openImportInputs({ settings, ...options }: ImportInputsOptions): Promise<ImportInputs> {
  const { network, stream } = settings
  const source = await openStreamSource(options.config, options.folder)
  try {
    const blocks = stream === 'records' ? undefined : await openBlockInput({ ...options, network })
    return {
      source,
      blocks,
      close: async () => {
        await Promise.all([source.close(), blocks?.close()])
      },
    }
  } catch (error) {
    await source.close()
    throw error
  }
}
