import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { byAccount, byNodeId, chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const numbers = async () => (await world.blocks()).map(({ number }) => number)

function writeAll(files: readonly TestFile[], signers = nodes, folderOf = byAccount): void {
  for (const file of files) writeFile(file, { root, nodes: signers, folderOf })
}

describe('layouts', () => {
  const files = chainV6({ first, number: 1n, items: [transfer, transfer, transfer, transfer] })

  it('are found by node id, with and without the folder of the network', async () => {
    writeAll(files, nodes, byNodeId('demo'))
    await world.import(root, { addressBook })
    const inside = new ImportWorld()
    await inside.import(join(root, 'demo'), { addressBook })
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n])
    expect(await inside.blocks()).toHaveLength(4)
  })

  it('are followed when the network moves from accounts to node ids', async () => {
    writeAll(files.slice(0, 2))
    writeAll(files.slice(2), nodes, byNodeId('demo'))
    await world.import(root, { addressBook })
    expect(await numbers()).toEqual([1n, 2n, 3n, 4n])
  })

  it('stay by account when told so', async () => {
    writeAll(files.slice(0, 2))
    writeAll(files.slice(2), nodes, byNodeId('demo'))
    await world.import(root, { addressBook, pathType: 'ACCOUNT_ID' })
    expect(await numbers()).toEqual([1n, 2n])
  })

  it('may have a prefix', async () => {
    writeAll(files, nodes, (node) => `copies/today/${byAccount(node)}`)
    await world.import(root, { addressBook, pathPrefix: 'copies/today' })
    expect(await numbers()).toHaveLength(4)
  })

  it('may have a folder for each day', async () => {
    const beforeMidnight = 1_700_006_396_000_000_000n
    const overMidnight = chainV6({ first: beforeMidnight, number: 1n, items: [transfer, transfer, transfer, transfer] })
    writeAll(overMidnight.slice(0, 2), nodes, (node) => `2023-11-14/${byAccount(node)}`)
    writeAll(overMidnight.slice(2), nodes, (node) => `2023-11-15/${byAccount(node)}`)
    await world.import(root, { addressBook, pathType: 'ACCOUNT_ID' })
    expect(await numbers()).toHaveLength(4)
  })

  it('may lack nodes', async () => {
    writeAll(files, nodes.slice(2))
    await world.import(root, { addressBook })
    expect((await world.blocks())[0]?.signedBy).toEqual([2n, 3n])
  })
})
