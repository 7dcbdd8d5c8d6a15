// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "Token.sol";
import {Market} from "Market.sol";

/// Makes contracts: with CREATE, with CREATE2, and one whose constructor makes another.
contract Factory {
    event Made(address indexed made, address indexed by);

    function makeToken(uint256 supply) external payable returns (address made) {
        made = address(new Token{value: msg.value}(msg.sender, supply));
        emit Made(made, msg.sender);
    }

    function makeTokenAt(bytes32 salt, uint256 supply) external payable returns (address made) {
        made = address(new Token{salt: salt, value: msg.value}(msg.sender, supply));
        emit Made(made, msg.sender);
    }

    function makeMarket(bytes32 salt, uint256 supply) external payable returns (address made) {
        made = address(new Market{salt: salt, value: msg.value}(supply));
        emit Made(made, msg.sender);
    }
}
