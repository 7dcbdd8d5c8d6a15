import { it, onTestFinished } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { changeReadModel } from './read-model/drill.ts'

it('a read model changes incompatibly on a running service, as the page says, and no client notices', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  await changeReadModel({ folder: folder.path, settings: {} })
}, 240_000)
