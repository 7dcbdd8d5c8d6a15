// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// An ERC-721 token: owners in mapping 0, how many each has in mapping 1, approved ones in mapping 2, the last number in slot 3.
contract Collection {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    uint256 public last;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);

    error NotAllowed(address caller, uint256 id);

    function mint(address to) external returns (uint256 id) {
        id = ++last;
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);
    }

    function approve(address approved, uint256 id) external {
        if (ownerOf[id] != msg.sender) revert NotAllowed(msg.sender, id);
        getApproved[id] = approved;
        emit Approval(msg.sender, approved, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        bool may = msg.sender == from || getApproved[id] == msg.sender;
        if (!may || ownerOf[id] != from) revert NotAllowed(msg.sender, id);
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}
