#!/usr/bin/env bash
# Downloads the executable of a release, compares its checksum, and puts it on PATH. action.yml sets VERSION, CHECKSUM and RELEASES; the
# runner sets the other variables.
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 1
}

version=${VERSION#v}
if [ -z "$version" ]; then
  # Without a version, the one that the action was released with.
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$GITHUB_ACTION_PATH/packages/kurel/package.json")
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "\"$version\" is not a version of kurel: use one such as 0.2.0"

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=linux-x64 ;;
  Linux-ARM64) target=linux-arm64 ;;
  macOS-X64) target=macos-x64 ;;
  macOS-ARM64) target=macos-arm64 ;;
  Windows-X64) target=windows-x64 ;;
  *) fail "kurel has no executable for $RUNNER_OS on $RUNNER_ARCH: install it with npm" ;;
esac
if [ "$RUNNER_OS" = Linux ]; then
  case $(ldd --version 2>&1 || true) in *musl*) target=$target-musl ;; esac
fi

archive=kurel-$version-$target.tar.gz
# tar on Windows takes the colon of a path for the name of a host, so every path below is relative.
mkdir -p "$RUNNER_TEMP/kurel-$version"
cd "$RUNNER_TEMP/kurel-$version"

download() {
  curl --fail --silent --show-error --location --retry 3 --proto-redir =https --output "$1" "$RELEASES/v$version/$1" ||
    fail "cannot download $1 of kurel $version from $RELEASES"
}

download SHA256SUMS
download "$archive"
listed=$(awk -v name="$archive" '$2 == name { print $1 }' SHA256SUMS)
[ -n "$listed" ] || fail "SHA256SUMS of kurel $version has no checksum of $archive"
if command -v sha256sum > /dev/null; then sum=$(sha256sum < "$archive"); else sum=$(shasum -a 256 < "$archive"); fi
sum=${sum%% *}
for expected in "$listed" ${CHECKSUM:+"$CHECKSUM"}; do
  [ "$sum" = "$expected" ] || fail "the checksum of $archive is $sum, expected $expected"
done

tar -xzf "$archive" --strip-components=1
rm "$archive" SHA256SUMS
place=$PWD
if [ "$RUNNER_OS" = Windows ]; then place=$(cygpath --windows "$place"); fi
./kurel version
echo "$place" >> "$GITHUB_PATH"
echo "version=$version" >> "$GITHUB_OUTPUT"
