/** What an operation answers, beyond its summary, by the id of the operation. */
export const descriptions: Readonly<Record<string, string>> = {
  getTransactions:
    'By account, token, type, result and consensus time, in any combination. A page that finds little ends early, and `links.next` goes on where it ended.',
  getTransactionsByTransactionId:
    'An id names the transaction that a user sent together with what it caused: its children, and what a schedule ran later. `nonce` and `scheduled` choose among them. A hash names one.',
  getBlocks: 'A block is a record file, or a block of the block stream, that the network signed.',
  getBlocksByHashOrNumber: 'The hash with or without `0x`; its first 32 bytes, as the EVM has them, do as well.',
  getAccounts: 'By id, balance, public key or EVM address; contracts are accounts, too.',
  getAccountsByIdOrAliasOrEvmAddress:
    'By id, alias or EVM address. With `timestamp` as the account was then; with `transactions=false` without its transactions, which is faster.',
  getAccountsByIdOrAliasOrEvmAddressBalances:
    'Every change within the window; where those are too many, what it was at instants in equal distances. `every_change` tells which.',
  getAccountsByIdOrAliasOrEvmAddressRewards: 'One entry for each time that a reward was paid, the newest first.',
  getAccountsByIdOrAliasOrEvmAddressTokens:
    'Those that the account is associated with, with its balance, and whether it is frozen or known to the token.',
  getAccountsByIdOrAliasOrEvmAddressAllowancesCrypto: 'What the account approved, and what is left of it, by spender.',
  getAccountsByIdOrAliasOrEvmAddressAllowancesTokens:
    'What the account approved, and what is left of it, by spender and token.',
  getAccountsByIdOrAliasOrEvmAddressNfts: 'By token and serial number, or by whom the account approved for an NFT.',
  getAccountsByIdAllowancesNfts:
    'With `owner=true`, which is the default, what the account allowed others; with `owner=false` what others allowed it.',
  getAccountsByOwnerIdHooks:
    'Code that runs when the account is used in a certain way; hooks that were deleted are listed as well.',
  getAccountsByOwnerIdHooksByHookIdStorage: 'Each slot with the value that it has, or had at `timestamp`.',
  getAccountsByIdAirdropsOutstanding:
    'An airdrop waits where the receiver has no room for the token, until it is claimed or taken back.',
  getAccountsByIdAirdropsPending: 'The same airdrops as the side that receives them sees them.',
  getBalances:
    'What accounts hold of hbar and of tokens, now or with `timestamp` at any instant: not only at those where the network wrote balances down.',
  getTokens: 'Fungible tokens and NFTs. By id, name, public key, type, or the account that may hold them.',
  getTokensByTokenid: 'Supply, keys, custom fees and state; with `timestamp` as they were then.',
  getTokensByTokenidBalances:
    'Accounts with what they hold, by account or by balance. Of NFTs it is how many; with `timestamp` as it was then.',
  getTokensByTokenidHolders: 'How many accounts hold any of it, without listing them.',
  getTokensByTokenidNfts: 'By serial number, or those of one account.',
  getTokensByTokenidNftsBySerialnumber: 'Who has it, its metadata, and who may move it.',
  getTokensByTokenidNftsBySerialnumberTransactions: 'The newest first, back to its mint.',
  getTopicsById: 'Keys, memo, custom fees, and how long the topic lives.',
  getTopicsByTopicIdMessages:
    'In the order of consensus, by sequence number and time. `encoding=utf-8` gives text in place of base64.',
  getTopicsByTopicIdMessagesBySequencenumber: 'A message never changes, so that its answer may be kept.',
  getTopicsMessagesByConsensus_timestamp: 'Consensus times are unique on the ledger: the topic need not be known.',
  getSchedules: 'Transactions that wait for signatures, those that ran, and those that were deleted.',
  getSchedulesByScheduleid: 'What it is to run, who signed so far, and when it ran or will end.',
  getContracts: 'By id or EVM address, without their code.',
  getContractsByContractid:
    'With the code that it runs and the code that created it; with `timestamp` as it was then. By id or EVM address.',
  getContractsByContractidState: 'Each slot with the value that it has, or had at `timestamp`.',
  getContractsResults:
    'What every call of a contract came to, by sender, block and time, with the state of an Ethereum transaction.',
  getContractsByContractidResults: 'The same of the calls that reached one contract, without what Ethereum adds.',
  getContractsResultsByTransactionIdOrHash:
    'With logs and changes of state. The hash is that of the Ethereum transaction, or the first 32 bytes of the one of the ledger.',
  getContractsByContractidResultsByTimestamp: 'With logs and changes of state.',
  getContractsResultsByTransactionIdOrHashActions:
    'In the order in which they were made, each with depth, gas, input and output.',
  getContractsResultsByTransactionIdOrHashOpcodes:
    'The transaction runs again on the state that it met. Stack, memory and storage are told where they are asked for. A client has to accept gzip.',
  getContractsResultsByTransactionIdOrHashPrestate:
    'What the accounts and contracts that the transaction touched had before it, as a tracer of Ethereum tells it.',
  getContractsResultsLogs:
    'Events of the EVM. What tokens of the ledger do is there, too, as ERC-20 and ERC-721 would log it. A search by topic needs a range of time.',
  getContractsByContractidResultsLogs:
    'Of one contract or token, as for all of them. A search by topic needs a range of time.',
  postContractsCall:
    'As an Ethereum node answers `eth_call` and `eth_estimateGas`: on the newest state, or with `block` on an earlier one.',
  postContractsCallActions:
    'Each call with its depth, gas, input and output, as a tracer of Ethereum tells it. Nothing of it is kept.',
  postContractsSimulate:
    'In blocks that are made up for it: what an account holds, runs or stores, and what a block says of itself, may be set before.',
  getNetworkNodes: 'With address, key, stake and the range of time in which the address book holds.',
  getNetworkRegisteredNodes: 'Block nodes, mirror nodes and relays that the ledger itself knows of.',
  getNetworkSupply: 'In tinybars. With `q` one of the two as plain text in hbar; with `timestamp` as it was then.',
  getNetworkAccounts: 'How many accounts there are, and how many of them hold hbar, without listing them.',
  getNetworkStake: 'Once a day the network sets what the next day is rewarded by.',
  getNetworkExchangerate: 'In cents for hbar; with `timestamp` those that held then.',
  getNetworkFees: 'In tinybars for a unit of gas; with `timestamp` what held then.',
  postNetworkFees:
    'The body is the transaction as it would be sent, in protobuf, signed or not. Fees are told for the node, the network and the service.',
  getSummaryJson: 'All that the page shows at a glance. Unknown parameters are ignored.',
  getStatusJson: 'One indicator, from `none` to `critical`, and a sentence.',
  getComponentsJson: 'Parts of the service, in groups, each with its status.',
  getIncidentsJson: 'At most fifty, each with its updates.',
  getIncidentsUnresolvedJson: 'What is being looked into, found or watched.',
  getScheduledMaintenancesJson: 'At most five hundred, the newest first.',
  getScheduledMaintenancesUpcomingJson: 'With the time at which each is to begin and end.',
  getScheduledMaintenancesActiveJson: 'Those that began and did not end yet.',
  getHealthJson:
    'Each measurement with its value, its thresholds and when it was taken: the evidence for what the page says.',
  getComponentsByIdUptimeJson: 'Day by day the minutes of outage, and the share of time without.',
  getHistoryAtom: 'The newest change first.',
  getHistoryRss: 'The newest change first.',
  get: 'The status page, for people. It reads without scripts.',
  getHistory: 'With `before` what began earlier.',
  getHistoryFromById: 'Where the page before ended.',
  getUptime: 'A bar of ninety days for each component.',
  getUptimeFromById: 'Where the page before ended.',
  getIncidentsById: 'With all updates, as far as a page may be long.',
  getIncidentsByIdFromByUpdate: 'Where the page before ended.',
  getIById: 'For posts and messages in which room is short.',
  postStatusCommands:
    'An incident, a maintenance, a component: whatever people decide about the page. It takes the bearer token of somebody who may write; sent again with the same `command_id` it is done once.',
  getStatusDrafts: 'A draft is published by sending its command with its `command_id`. It takes a bearer token.',
  getHealthLiveness: 'For a supervisor: where this does not answer, start the process again.',
  getHealthReadiness: 'For a load balancer: 503 says not to send requests here now, with the reason.',
  getHealthStatus: 'For dashboards and operators. Alarms stand on `/metrics`.',
  getMetrics: 'What each figure means is in the reference of metrics.',
}
