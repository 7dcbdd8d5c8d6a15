const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' }
const operations = 31

/** As long as many contracts are; it creates another one, so that both compilations are needed. */
export const linesOfContract = 500

/** One operation of a register of shares: checks, storage, arithmetic and an event. */
function operation(index: number): string[] {
  const factor = index + 3
  return [
    '',
    `  function settle${index}(address holder, uint256 shares, bytes32 note)`,
    '    external',
    '    onlyOwner',
    '    returns (uint256 due)',
    '  {',
    `    Position storage position = positions[holder][${index % 8}];`,
    `    if (shares == 0 || shares > cap / ${factor}) revert OutOfRange(shares, ${index});`,
    `    due = (shares * rates[${index % 8}] + position.paid) / ${factor};`,
    '    position.shares += shares;',
    '    position.paid += due;',
    '    position.last = uint64(block.timestamp);',
    '    bytes32 digest = keccak256(abi.encode(note, position.paid));',
    `    emit Settled(holder, ${index}, shares, due, digest);`,
    '  }',
  ]
}

const head = [
  '// SPDX-License-Identifier: Apache-2.0',
  'pragma solidity ^0.8.20;',
  '',
  '/// What somebody is to be paid.',
  'contract Receipt {',
  '  address public immutable holder;',
  '  uint256 public immutable due;',
  '',
  '  constructor(address aHolder, uint256 aDue) {',
  '    holder = aHolder;',
  '    due = aDue;',
  '  }',
  '}',
  '',
  '/// Shares and what they earn.',
  'contract Register {',
  '  struct Position { uint256 shares; uint256 paid; uint64 last; }',
  '  error OutOfRange(uint256 shares, uint256 operation);',
  '  event Settled(address indexed holder, uint256 indexed operation, uint256 shares, uint256 due, bytes32 digest);',
  '',
  '  address public immutable owner;',
  '  uint256 public cap;',
  '  uint256[8] public rates;',
  '  Receipt public newest;',
  '  mapping(address => mapping(uint256 => Position)) public positions;',
  '',
  '  constructor(uint256 aCap) { owner = msg.sender; cap = aCap; }',
  '',
  '  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }',
  '',
  '  function issue(address holder, uint256 due) external onlyOwner {',
  '    newest = new Receipt(holder, due);',
  '  }',
  '',
]

export function benchContract() {
  const lines = [...head, ...Array.from({ length: operations }, (_, index) => operation(index)).flat(), '}']
  if (lines.length !== linesOfContract) throw new Error(`It has ${lines.length} lines`)
  const sources = { 'contracts/Register.sol': { content: lines.join('\n') } }
  return { language: 'Solidity', sources, settings }
}
