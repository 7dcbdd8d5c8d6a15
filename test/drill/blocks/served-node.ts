import { FolderBlocks } from '#src/simulator/block-node/folder-blocks.ts'
import { serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'

/** A block node in a process of its own, to be killed. Usage: served-node.ts <folder> <network> <port>. Says `ready`. */
const [folder, network, port] = process.argv.slice(2) as [string, string, string]
await serveBlocks({ store: new FolderBlocks(folder, network), host: '127.0.0.1', port: Number(port) })
process.stdout.write('ready\n')
