import { type AnyKey, type ConfigTree, choice, flag, integer, type Key, optionalText, text } from '#src/config/keys.ts'
import { blockSettings } from '#src/config/sections/blocks.ts'
import { contractCallSettings } from '#src/config/sections/contract-calls.ts'
import { engineSettings } from '#src/config/sections/engines.ts'
import { foldingSettings } from '#src/config/sections/folding.ts'
import { servingSettings } from '#src/config/sections/serving.ts'
import { sourceSettings } from '#src/config/sections/source.ts'
import { verificationSettings } from '#src/config/sections/verification.ts'

/** Every setting of the product. Paths give the names: `source.s3.region` is LEDGER_SOURCE_S3_REGION in the environment. */
const configSchema = {
  data: text({ default: './data', description: 'Folder of the embedded log and stores. It belongs to one network' }),
  network: optionalText(
    {
      description:
        'Network name. Unless given: `simulated`, the network of a known bucket, or the name of the source folder',
    },
    'text or nothing',
  ),
  host: text({ default: '127.0.0.1', description: 'Address that the API listens on' }),
  port: integer({
    default: 5551,
    min: 0,
    max: 65_535,
    description: 'Port that the API listens on; 0 takes a free one',
  }),
  once: flag({
    default: false,
    flag: 'once',
    description: 'End with a summary when everything that is there is done, instead of waiting for more',
  }),

  ...sourceSettings,
  ...blockSettings,
  ...foldingSettings,
  ...servingSettings,
  ...contractCallSettings,
  ...verificationSettings,
  ...engineSettings,

  log: {
    level: choice({
      default: 'info',
      of: ['error', 'warn', 'info', 'debug', 'trace'],
      description: 'What is worth a log line',
    }),
    format: choice({
      default: 'auto',
      of: ['auto', 'json', 'pretty'],
      description: '`auto` is pretty on a terminal and JSON otherwise',
    }),
  },
} as const satisfies ConfigTree

export type ConfigOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Key<infer Value> ? Value : ConfigOf<Tree[Name]>
}
export type Config = ConfigOf<typeof configSchema>

export interface NamedKey {
  /** Names from the root, as the file nests them. */
  readonly path: readonly string[]
  readonly key: AnyKey
  /** `source.pathType` */
  readonly name: string
  /** `source-path-type`, without dashes in front. */
  readonly flagName: string
  /** `LEDGER_SOURCE_PATH_TYPE` */
  readonly variable: string
}

/** `answersMiB` is `answers-mib`: the unit is one word. */
function kebab(name: string): string {
  return name.replace('MiB', 'Mib').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function isKey(entry: AnyKey | ConfigTree): entry is AnyKey {
  return typeof entry['parse'] === 'function'
}

function namedKeysOf(tree: ConfigTree, path: readonly string[]): NamedKey[] {
  return Object.entries(tree).flatMap(([part, entry]) => {
    const here = [...path, part]
    if (!isKey(entry)) return namedKeysOf(entry, here)
    const dashed = here.map(kebab).join('-')
    const variable = `LEDGER_${dashed.replaceAll('-', '_').toUpperCase()}`
    return [{ path: here, key: entry, name: here.join('.'), flagName: entry.flag ?? dashed, variable }]
  })
}

/** Every key, in the order of the schema. */
export const configKeys: readonly NamedKey[] = namedKeysOf(configSchema, [])
