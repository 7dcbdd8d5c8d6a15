// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "Token.sol";

/// Makes a token of its own when it is made, and hands it out until none is left.
contract Market {
    Token public token;

    event Sold(address indexed buyer, uint256 value);

    constructor(uint256 supply) payable {
        token = new Token(address(this), supply);
    }

    function buy(uint256 value) external payable {
        require(token.balanceOf(address(this)) >= value, "sold out");
        token.transfer(msg.sender, value);
        emit Sold(msg.sender, value);
    }
}
