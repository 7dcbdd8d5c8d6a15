import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Json } from '#src/verification/verification-input.ts'

/** A contract to compile, deploy and verify. */
export interface Fixture {
  readonly name: string
  readonly target: string
  readonly sources: Readonly<Record<string, string>>
  readonly settings: { readonly [key: string]: Json }
  /** Of the constructor, encoded. */
  readonly given: Hex
}

interface Made extends Omit<Fixture, 'settings' | 'given'> {
  /** First compiler that knows what it uses: minor and patch of 0.x.y. */
  readonly since: readonly [number, number]
  readonly settings?: Fixture['settings']
  readonly given?: Hex
}

const optimizer = { enabled: true, runs: 200 }
const pragma = '// SPDX-License-Identifier: Apache-2.0\npragma solidity >=0.4.22;\n'

const shelf = `${pragma}
contract Shelf {
  uint256 public room; string public label; bytes4[] public marks;
  constructor(uint256 aRoom, string memory aLabel, bytes4[] memory someMarks) public { room = aRoom; label = aLabel; marks = someMarks; }
  function fill(uint256 boxes) public { require(boxes <= room); room -= boxes; }
}`

const sums = `${pragma}
library Sums { function twice(uint256 n) public pure returns (uint256) { return n * 2; } }
library Parts { function half(uint256 n) public pure returns (uint256) { return n / 2; } }`

const teller = `${pragma}import "./Sums.sol";
contract Teller { uint256 public last; function tell(uint256 n) public { last = Sums.twice(n) + Parts.half(n) + Sums.twice(last); } }`

const foundry = `${pragma}
contract Coin { uint256 public face; constructor(uint256 aFace) public { face = aFace; } }
contract Foundry { event Struck(address coin); function strike(uint256 face) public { emit Struck(address(new Coin(face))); } }`

const nest = `${pragma}
contract Egg { uint256 public laid = 1; }
contract Nest { address public egg; constructor(uint256 depth) public { egg = address(new Egg()); require(depth < 9); } function again() public { egg = address(new Egg()); } }`

const vault = `${pragma}
contract Vault { uint256 public immutable cap; address public immutable owner; bytes8 immutable tag;
  constructor(uint256 aCap, bytes8 aTag) public { cap = aCap; owner = msg.sender; tag = aTag; }
  function limit() public view returns (uint256, address, bytes8) { return (cap + 1, owner, tag); } }`

const beasts = `${pragma}
interface Voice { function say() external view returns (uint256); }
abstract contract Beast is Voice { function legs() public pure virtual returns (uint256); function say() external view virtual override returns (uint256) { return legs() + block.number; } }
contract Cow is Beast { function legs() public pure override returns (uint256) { return 4; } }`

const shelfGiven = encodeAbiParameters(parseAbiParameters('uint256, string, bytes4[]'), [
  7n,
  'top — left',
  ['0x01020304', '0xa0b0c0d0'],
])
const vaultGiven = encodeAbiParameters(parseAbiParameters('uint256, bytes8'), [99n, '0x1122334455667788'])
const one = encodeAbiParameters(parseAbiParameters('uint256'), [1n])

const all: readonly Made[] = [
  {
    name: 'constructor arguments',
    since: [4, 22],
    target: 'Shelf',
    sources: { 'src/Shelf.sol': shelf },
    given: shelfGiven,
  },
  {
    name: 'not optimized',
    since: [4, 22],
    target: 'Shelf',
    sources: { 'Shelf.sol': shelf },
    given: shelfGiven,
    settings: {},
  },
  { name: 'libraries', since: [4, 22], target: 'Teller', sources: { 'Sums.sol': sums, 'Teller.sol': teller } },
  { name: 'a library itself', since: [4, 22], target: 'Sums', sources: { 'Sums.sol': sums } },
  { name: 'a factory', since: [4, 22], target: 'Foundry', sources: { 'Foundry.sol': foundry } },
  { name: 'a constructor that creates', since: [4, 22], target: 'Nest', sources: { 'Nest.sol': nest }, given: one },
  { name: 'immutables', since: [6, 5], target: 'Vault', sources: { 'Vault.sol': vault }, given: vaultGiven },
  { name: 'abstract ancestors', since: [6, 2], target: 'Cow', sources: { 'Cow.sol': beasts } },
  {
    name: 'no metadata hash',
    since: [6, 2],
    target: 'Foundry',
    sources: { 'Foundry.sol': foundry },
    settings: { optimizer, metadata: { bytecodeHash: 'none' } },
  },
  {
    name: 'no metadata',
    since: [8, 18],
    target: 'Foundry',
    sources: { 'Foundry.sol': foundry },
    settings: { optimizer, metadata: { appendCBOR: false, bytecodeHash: 'none' } },
  },
  {
    name: 'via IR',
    since: [8, 13],
    target: 'Vault',
    sources: { 'Vault.sol': vault },
    given: vaultGiven,
    settings: { optimizer, viaIR: true },
  },
  {
    name: 'a factory via IR',
    since: [8, 13],
    target: 'Nest',
    sources: { 'Nest.sol': nest },
    given: one,
    settings: { optimizer, viaIR: true },
  },
]

/** Those that a compiler can compile. */
export function fixturesFor(version: string): Fixture[] {
  const [, minor = 0, patch = 0] = version.split('.').map(Number)
  return all
    .filter(({ since: [from, first] }) => minor > from || (minor === from && patch >= first))
    .map(({ since: _, ...made }) => ({ settings: { optimizer }, given: '0x', ...made }))
}
