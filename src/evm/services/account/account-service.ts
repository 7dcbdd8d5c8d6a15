import { aliasFunctions } from '#src/evm/services/account/aliases.ts'
import { authorizationFunctions } from '#src/evm/services/account/authorization.ts'
import { hbarFunctions } from '#src/evm/services/account/hbar-allowances.ts'
import { functionTable } from '#src/evm/services/function-table.ts'
import { nativeService } from '#src/evm/services/native-service.ts'

export const accountService = nativeService({
  name: 'account service',
  kind: 'account',
  functions: functionTable({}, [...aliasFunctions, ...hbarFunctions, ...authorizationFunctions]),
})
