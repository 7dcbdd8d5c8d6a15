import { functionTable } from '#src/evm/services/function-table.ts'
import { nativeService } from '#src/evm/services/native-service.ts'
import { creationFunctions } from '#src/evm/services/schedule/creation.ts'
import { deletionFunctions } from '#src/evm/services/schedule/deletion.ts'
import { signingFunctions } from '#src/evm/services/schedule/signing.ts'
import { tokenInfoFunctions } from '#src/evm/services/schedule/token-infos.ts'
import { tokenAbiNames } from '#src/evm/services/token/abi-names.ts'

export const scheduleService = nativeService({
  name: 'schedule service',
  kind: 'schedule',
  functions: functionTable(tokenAbiNames, [
    ...tokenInfoFunctions,
    ...signingFunctions,
    ...deletionFunctions,
    ...creationFunctions,
  ]),
})
