#!/usr/bin/env bash
# Builds Versity S3 Gateway (a Go module) into .cache/ once and runs it on a folder, for the tests that need a real
# S3-compatible server:   scripts/local-s3.sh <port> <folder>
# Access key and secret are `ledger` and `history`. Runs until it is stopped; exits with 3 where there is no Go.
set -euo pipefail
version=v1.8.0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/.cache/versitygw-$version"
program="$build/versitygw"

command -v go >/dev/null || { echo "no Go on this machine, so no S3 server can be built" >&2; exit 3; }
if [ ! -x "$program" ]; then
  mkdir -p "$build"
  cd "$build"
  printf 'module local-s3\n\ngo 1.24\n\nrequire github.com/versity/versitygw %s\n' "$version" >go.mod
  printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/versity/versitygw/cmd/versitygw"\n' >tools.go
  go mod tidy >&2
  go build -o versitygw github.com/versity/versitygw/cmd/versitygw
fi
port=$1
folder=$2
mkdir -p "$folder"
ROOT_ACCESS_KEY=ledger ROOT_SECRET_KEY=history exec "$program" --port "127.0.0.1:$port" posix "$folder"
