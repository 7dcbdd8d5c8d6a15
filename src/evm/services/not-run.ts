// Functions of the network's services that are not run here yet: whoever calls one is told so.

export const scheduleFunctionsNotRun: readonly string[] = [
  'authorizeSchedule(address)',
  'deleteSchedule(address)',
  'executeCallOnPayerSignature(address,address,uint256,uint256,uint64,bytes)',
  'getScheduledCreateFungibleTokenInfo(address)',
  'getScheduledCreateNonFungibleTokenInfo(address)',
  'hasScheduleCapacity(uint256,uint256)',
  'scheduleCall(address,uint256,uint256,uint64,bytes)',
  'scheduleCallWithPayer(address,address,uint256,uint256,uint64,bytes)',
  'scheduleNative(address,bytes,address)',
  'signSchedule(address,bytes)',
  'deleteSchedule()',
  'signSchedule()',
]
