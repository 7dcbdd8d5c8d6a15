// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// An ERC-20 token: balances in mapping 0, allowances in mapping 1, the supply in slot 2. It takes hbar, too.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(address owner, uint256 balance, uint256 needed);
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    constructor(address owner, uint256 supply) payable {
        require(owner != address(0), "no owner");
        balanceOf[owner] = supply;
        totalSupply = supply;
        emit Transfer(address(0), owner, supply);
    }

    receive() external payable {}

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 left = allowance[from][msg.sender];
        if (left < value) revert InsufficientAllowance(msg.sender, left, value);
        allowance[from][msg.sender] = left - value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        uint256 held = balanceOf[from];
        if (held < value) revert InsufficientBalance(from, held, value);
        balanceOf[from] = held - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
