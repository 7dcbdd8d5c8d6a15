// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Runs the code of another contract on storage of its own; whose code stands in the slot of EIP-1967.
contract Proxy {
    bytes32 private constant slot = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);

    event Upgraded(address indexed implementation);

    constructor(address implementation) payable {
        set(implementation);
    }

    function upgradeTo(address implementation) external {
        set(implementation);
    }

    receive() external payable {}

    fallback() external payable {
        bytes32 place = slot;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(place), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function set(address implementation) private {
        bytes32 place = slot;
        assembly {
            sstore(place, implementation)
        }
        emit Upgraded(implementation);
    }
}
