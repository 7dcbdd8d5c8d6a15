// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Moves the ledger's own tokens and hbar, by its system contract for tokens.
contract Teller {
    struct AccountAmount {
        address account;
        int64 amount;
        bool isApproval;
    }

    struct NftTransfer {
        address sender;
        address receiver;
        int64 serial;
        bool isApproval;
    }

    struct TokenTransfers {
        address token;
        AccountAmount[] transfers;
        NftTransfer[] nftTransfers;
    }

    struct TransferList {
        AccountAmount[] transfers;
    }

    address private constant service = address(0x167);
    int64 private constant success = 22;

    event Moved(address indexed from, address indexed to, uint256 amount);

    error Refused(int64 code);
    error TooLate(uint256 deadline);

    function move(address token, address from, address to, int64 amount, uint256 deadline) external {
        call(abi.encodeWithSignature("transferToken(address,address,address,int64)", token, from, to, amount));
        if (block.timestamp > deadline) revert TooLate(deadline);
        emit Moved(from, to, uint64(amount));
    }

    function moveAllowed(address token, address from, address to, uint256 amount) external {
        call(abi.encodeWithSignature("transferFrom(address,address,address,uint256)", token, from, to, amount));
        emit Moved(from, to, amount);
    }

    function payAllowed(address from, address to, int64 amount) external {
        TransferList memory list = TransferList(new AccountAmount[](2));
        list.transfers[0] = AccountAmount(from, -amount, true);
        list.transfers[1] = AccountAmount(to, amount, false);
        TokenTransfers[] memory none = new TokenTransfers[](0);
        string memory signature =
            "cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])";
        call(abi.encodeWithSignature(signature, list, none));
        emit Moved(from, to, uint64(amount));
    }

    function pay(address to) external payable {
        (bool paid,) = to.call{value: msg.value}("");
        require(paid, "not paid");
        emit Moved(msg.sender, to, msg.value);
    }

    function call(bytes memory input) private {
        (bool done, bytes memory output) = service.call(input);
        int64 code = done ? abi.decode(output, (int64)) : int64(21);
        if (code != success) revert Refused(code);
    }
}
