const fixedFee = (amount: string): string => `(${amount},address,bool,bool,address)`
const fractionalFee = (amount: string): string => `(${amount},${amount},${amount},${amount},bool,address)`
const royaltyFee = (amount: string): string => `(${amount},${amount},${amount},address,bool,address)`
const definition = (maxSupply: string, expiry: string): string =>
  `(string,string,address,string,bool,${maxSupply},bool,TokenKey[],${expiry})`

/** What the signatures of the token and the schedule service call their types. The definition of a token came in versions. */
export const tokenAbiNames = {
  KeyValue: '(bool,address,bytes,bytes,address)',
  TokenKey: '(uint256,KeyValue)',
  Expiry32: '(uint32,address,uint32)',
  Expiry64: '(int64,address,int64)',
  Token1: definition('uint32', 'Expiry32'),
  Token2: definition('int64', 'Expiry32'),
  Token3: definition('int64', 'Expiry64'),
  TokenInfo: '(Token2,int64,bool,bool,bool,FixedFee[],FractionalFee[],RoyaltyFee[],string)',
  FungibleInfo: '(TokenInfo,int32)',
  NftInfo: '(TokenInfo,int64,address,int64,bytes,address)',
  FixedFee: fixedFee('uint32'),
  FixedFee64: fixedFee('int64'),
  FractionalFee: fractionalFee('uint32'),
  FractionalFee64: fractionalFee('int64'),
  RoyaltyFee: royaltyFee('uint32'),
  RoyaltyFee64: royaltyFee('int64'),
  Transfers: '(address,(address,int64)[],(address,address,int64)[])',
  ApprovedTransfers: '(address,(address,int64,bool)[],(address,address,int64,bool)[])',
  HbarTransfers: '((address,int64,bool)[])',
  Airdrop: '(address,address,address,int64)',
} as const
