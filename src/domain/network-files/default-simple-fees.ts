import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import type {
  CurvePoint,
  ExtraName,
  ServiceFees,
  SimpleFees,
  VariableRates,
} from '#src/domain/network-files/simple-fees.ts'

type Extras = Partial<Record<ExtraName, number>>

/** Tinycents of one of each, as published with the network's software in June 2026 for all its networks. */
const unitFees: Extras = {
  SIGNATURES: 100_000,
  STATE_BYTES: 1_000_000,
  PROCESSING_BYTES: 10_000,
  KEYS: 100_000_000,
  NFT_SERIALS: 8_900_000,
  ACCOUNTS: 1_000_000,
  TOKEN_TYPES: 1_000_000,
  GAS: 852,
  ALLOWANCES: 500_000_000,
  TOKEN_ASSOCIATE: 500_000_000,
  TOKEN_CREATE_WITH_CUSTOM_FEE: 10_000_000_000,
  TOKEN_MINT_NFT_BASE: 190_000_000,
  TOKEN_MINT_NFT: 200_000_000,
  NFT_UPDATE: 10_000_000,
  AIRDROPS: 500_000_000,
  HOOK_UPDATES: 10_000_000_000,
  HOOK_EXECUTION: 50_000_000,
  HOOK_SLOT_UPDATE: 50_000_000,
  RECORDS: 1_000_000,
  TOKEN_TRANSFER_BASE: 9_000_000,
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 19_000_000,
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 19_900_000_000,
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 498_300_000,
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 1_000_000,
  CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 6_800,
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 900_000_000,
}

/** Multipliers at which curves of thirteen points rise. */
const steps = [4, 8, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200]

/** A curve that takes the first steps at these shares of the capacity, in hundredths of a percent. */
function curve(maxMultiplier: number, ...utilizations: number[]): VariableRates {
  const points = utilizations.map(
    (utilization, step): CurvePoint => ({ utilization, multiplier: (steps[step] ?? steps.at(-1)!) * 1_000 }),
  )
  return { maxMultiplier, points }
}

const plentiful = curve(200_000, 2, 3, 5, 7, 10, 15, 20, 50, 100, 200, 500, 1_000, 10_000)
const scarce = curve(100_000, 100, 150, 250, 350, 500, 750, 1_000, 2_500, 5_000, 10_000)

const services: { readonly [F in Functionality]: ServiceFees } = {
  CryptoCreate: service(499_000_000, { KEYS: 1, HOOK_UPDATES: 0 }, plentiful),
  CryptoUpdate: service(1_200_000, { KEYS: 1, HOOK_UPDATES: 0 }),
  CryptoDelete: service(49_000_000),
  CryptoTransfer: service(0, {
    TOKEN_TRANSFER_BASE: 0,
    TOKEN_TRANSFER_BASE_CUSTOM_FEES: 0,
    HOOK_EXECUTION: 0,
    GAS: 0,
    ACCOUNTS: 2,
    TOKEN_TYPES: 1,
  }),
  CryptoApproveAllowance: service(499_000_000, { ALLOWANCES: 1 }, curve(4_000, 10_000)),
  CryptoDeleteAllowance: service(499_000_000, { ALLOWANCES: 1 }),
  ConsensusCreateTopic: service(99_000_000, { KEYS: 0, CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 0 }, plentiful),
  ConsensusUpdateTopic: service(1_200_000, { KEYS: 1 }),
  ConsensusSubmitMessage: service(700_000, {
    CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 100,
    CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 1_024,
    CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 0,
  }),
  ConsensusDeleteTopic: service(49_000_000),
  FileCreate: service(499_000_000, { KEYS: 1, STATE_BYTES: 1_000 }, plentiful),
  FileUpdate: service(499_000_000, { KEYS: 1, STATE_BYTES: 1_000 }),
  FileAppend: service(499_000_000, { STATE_BYTES: 1_000 }, plentiful),
  FileDelete: service(69_000_000),
  TokenCreate: service(9_999_000_000, { KEYS: 1, TOKEN_CREATE_WITH_CUSTOM_FEE: 0 }, scarce),
  TokenMint: service(
    9_000_000,
    { TOKEN_MINT_NFT_BASE: 0, TOKEN_MINT_NFT: 1 },
    curve(150_000, 40, 60, 100, 140, 200, 300, 400, 1_000, 2_000, 4_000, 10_000),
  ),
  TokenBurn: service(9_000_000),
  TokenDelete: service(9_000_000),
  TokenFreezeAccount: service(9_000_000),
  TokenUnfreezeAccount: service(9_000_000),
  TokenPause: service(9_000_000),
  TokenUnpause: service(9_000_000),
  TokenAssociateToAccount: service(499_000_000, { TOKEN_ASSOCIATE: 1 }, scarce),
  TokenDissociateFromAccount: service(499_000_000),
  TokenAirdrop: service(0, { AIRDROPS: 0 }, scarce),
  TokenClaimAirdrop: service(9_000_000, {}, curve(15_000, 2_857, 4_286, 7_143, 10_000)),
  TokenCancelAirdrop: service(9_000_000),
  TokenGrantKycToAccount: service(9_000_000),
  TokenRevokeKycFromAccount: service(9_000_000),
  TokenReject: service(9_000_000),
  TokenAccountWipe: service(9_000_000),
  TokenFeeScheduleUpdate: service(9_000_000),
  TokenUpdate: service(9_000_000, { KEYS: 1 }),
  TokenUpdateNfts: service(9_000_000, { NFT_UPDATE: 1 }),
  ScheduleCreate: service(99_000_000, { KEYS: 1, SCHEDULE_CREATE_CONTRACT_CALL_BASE: 0 }, scarce),
  ScheduleSign: service(9_000_000),
  ScheduleDelete: service(9_000_000),
  SystemDelete: service(0),
  SystemUndelete: service(0),
  UtilPrng: service(9_000_000),
  AtomicBatch: service(9_000_000),
  ContractCall: { ...service(0), nodeNetworkExempt: true },
  ContractCreate: service(
    9_999_000_000,
    { HOOK_UPDATES: 0, KEYS: 1 },
    curve(80_000, 200, 300, 500, 700, 1_000, 1_500, 2_000, 5_000, 10_000),
  ),
  ContractUpdate: service(259_000_000, { KEYS: 1, HOOK_UPDATES: 0 }),
  ContractDelete: service(69_000_000),
  EthereumTransaction: service(0),
  HookStore: service(49_000_000, { HOOK_SLOT_UPDATE: 1 }, plentiful),
  NodeCreate: service(9_000_000),
  NodeUpdate: service(9_000_000),
  NodeDelete: service(9_000_000),
  RegisteredNodeCreate: service(9_000_000),
  RegisteredNodeUpdate: service(9_000_000),
  RegisteredNodeDelete: service(9_000_000),
}

function service(baseFee: number, extras: Extras = {}, highVolume?: VariableRates): ServiceFees {
  return { baseFee: BigInt(baseFee), extras: byName(extras), highVolume, nodeNetworkExempt: false }
}

function byName(extras: Extras): ReadonlyMap<ExtraName, number> {
  return new Map(Object.entries(extras) as [ExtraName, number][])
}

/** The fees of transactions where no file 113 is known. Queries have none here: nobody asks what they cost. */
export const defaultSimpleFees: SimpleFees = {
  node: { baseFee: 100_000n, extras: byName({ PROCESSING_BYTES: 1_350, SIGNATURES: 1 }) },
  networkMultiplier: 9,
  unitFees: new Map([...byName(unitFees)].map(([name, fee]) => [name, BigInt(fee)])),
  services: new Map(Object.entries(services).map(([name, fees]) => [functionalities[name as Functionality], fees])),
}
