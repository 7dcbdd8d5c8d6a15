// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// What many contracts share: it has no storage, and runs on that of whoever calls it by DELEGATECALL.
contract Sums {
    mapping(address => uint256) private held;

    function add(address who, uint256 value) external returns (uint256) {
        held[who] += value;
        return held[who];
    }

    function take(address who, uint256 value) external returns (uint256) {
        require(held[who] >= value, "not held");
        held[who] -= value;
        return held[who];
    }
}

/// Holds hbar for those who put them in. It counts by a library, which it makes when it is first used.
contract Purse {
    mapping(address => uint256) public held;
    address public sums;

    event Counted(address indexed who, uint256 held);

    function put() external payable {
        if (sums == address(0)) sums = address(new Sums());
        count(abi.encodeWithSignature("add(address,uint256)", msg.sender, msg.value));
    }

    function take(uint256 value) external {
        count(abi.encodeWithSignature("take(address,uint256)", msg.sender, value));
        (bool paid,) = msg.sender.call{value: value}("");
        require(paid, "not paid");
    }

    function count(bytes memory input) private {
        (bool done, bytes memory output) = sums.delegatecall(input);
        if (!done) {
            assembly {
                revert(add(output, 32), mload(output))
            }
        }
        emit Counted(msg.sender, abi.decode(output, (uint256)));
    }
}
