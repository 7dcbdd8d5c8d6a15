// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "Token.sol";

/// Exchanges two tokens that it makes, so that the product of what it has of them does not fall; it sells the first for hbar as well.
contract Pair {
    Token public first;
    Token public second;

    event Swapped(address indexed by, uint256 paid, uint256 got);

    error TooLittle(uint256 got, uint256 wanted);

    constructor(uint256 supply) payable {
        first = new Token(address(this), supply);
        second = new Token(address(this), supply);
    }

    function take() external payable {
        first.transfer(msg.sender, msg.value);
    }

    /// Of what `amountFor` says, a third of a percent stays.
    function swap(bool isFirst, uint256 paid, uint256 wanted) external {
        (Token from, Token to) = isFirst ? (first, second) : (second, first);
        uint256 got = amountFor(paid, from.balanceOf(address(this)), to.balanceOf(address(this)));
        if (got < wanted) revert TooLittle(got, wanted);
        from.transferFrom(msg.sender, address(this), paid);
        to.transfer(msg.sender, got);
        emit Swapped(msg.sender, paid, got);
    }

    function amountFor(uint256 paid, uint256 has, uint256 gives) public pure returns (uint256) {
        uint256 counted = paid * 997;
        return (counted * gives) / (has * 1000 + counted);
    }
}
