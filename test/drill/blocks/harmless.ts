const beyondProof = 'the first proof decides, and what is said of it is provenance'
const proofBytes = 'bits of the proof that nothing follows from, such as the way in which a number is written'
const otherTrees = 'items of different trees may stand in another order as long as it is plain what belongs together'
const unsigned = 'signatures of nodes are provenance, as long as those of enough stake hold'
const sameBlocks = 'two chains of the drill have the same blocks with other proofs, each of which holds'

/** Damages that may go unnoticed, and why nothing that is published depends on what they change. */
export const harmless: Readonly<Record<string, string>> = {
  'a bit flipped': proofBytes,
  'some bits flipped': proofBytes,
  'a bit of an item flipped': proofBytes,
  'a run of zeros': proofBytes,
  'a bit of the proof flipped': proofBytes,
  'a field within the proof changed': proofBytes,
  'a field within the proof left out or twice': proofBytes,
  'a proof of another kind': proofBytes,
  'an item twice': beyondProof,
  'its proof twice': beyondProof,
  'a bad proof behind a good one': beyondProof,
  'an item of another block': beyondProof,
  'two neighbours exchanged': otherTrees,
  'an item moved between those of other trees': otherTrees,
  'several items moved between those of other trees': otherTrees,
  'all items mixed, those of a tree in order': otherTrees,
  'a length written in more bytes than it takes': 'the length of an item within the block is not part of the item',
  'an item put in': 'items of numbers that are kept for what no tree has are passed over',
  'an item of another number': 'an event header says nothing that is published, and only a proof is not hashed',
  'a field of an item twice': beyondProof,
  'an unknown field in an item': beyondProof,
  'a root of the footer left out': 'the root of a state that is empty may be left out',
  'a field of the header changed': 'the header of a wrapped record file is not published',
  'a field of the footer changed': 'the footer of a wrapped record file is not published',
  'the versions of its header changed': 'the header of a wrapped record file is not published',
  'the time of its header changed': 'the header of a wrapped record file is not published',
  'transactions and state beside the record file': 'what stands beside a wrapped record file is not published',
  'an item left out': 'what stands beside a wrapped record file is not published',
  'two items of a tree exchanged': 'what stands beside a wrapped record file is not published',
  'sidecars that it does not have': 'only sidecars that the record file names are read',
  'its sidecars twice': 'only sidecars that the record file names are read',
  'a sidecar lost': 'a sidecar of types that are not wanted',
  'an unknown field in the record file': 'a file of version 2 or 5 is put together from the fields that it has',
  'a field of the record file left out, twice or elsewhere':
    'a file of version 2 or 5 is put together from the fields that it has, in its own order',
  'a signature twice': unsigned,
  'some signatures lost': unsigned,
  'a bit of a signature flipped': unsigned,
  'one signature for every node': unsigned,
  'the block of that number in another chain': sameBlocks,
  'a proof of the other kind before its own': sameBlocks,
  'the proof of another chain': sameBlocks,
}
