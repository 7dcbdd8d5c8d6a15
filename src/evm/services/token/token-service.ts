import { functionTable } from '#src/evm/services/function-table.ts'
import { nativeService } from '#src/evm/services/native-service.ts'
import { tokenAbiNames } from '#src/evm/services/token/abi-names.ts'
import { airdropFunctions } from '#src/evm/services/token/airdrops.ts'
import { associationFunctions } from '#src/evm/services/token/associations.ts'
import { controlFunctions } from '#src/evm/services/token/controls.ts'
import { creationFunctions } from '#src/evm/services/token/creation.ts'
import { ercChanges } from '#src/evm/services/token/erc-changes.ts'
import { ercViews } from '#src/evm/services/token/erc-views.ts'
import { grantFunctions } from '#src/evm/services/token/grants.ts'
import { supplyFunctions } from '#src/evm/services/token/supply.ts'
import { transferFunctions } from '#src/evm/services/token/transfers.ts'
import { updateFunctions } from '#src/evm/services/token/updates.ts'
import { tokenViews } from '#src/evm/services/token/views.ts'

export const tokenFunctions = functionTable(tokenAbiNames, [
  ...ercViews,
  ...ercChanges,
  ...tokenViews,
  ...transferFunctions,
  ...supplyFunctions,
  ...controlFunctions,
  ...associationFunctions,
  ...grantFunctions,
  ...airdropFunctions,
  ...creationFunctions,
  ...updateFunctions,
])

export const tokenService = nativeService({ name: 'token service', kind: 'token', functions: tokenFunctions })
