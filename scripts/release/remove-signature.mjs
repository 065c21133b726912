// The layout of a Mach-O file for 64 bits: a header of 32 bytes, then load commands, each with its type and size.
const magic = 0xfeed_facf;
const segment = 0x19;
const codeSignature = 0x1d;

/**
 * An executable for macOS without its signature, which is at its end. For x64, bun leaves the signature of its own executable, which does not
 * match the new content, and macOS ends such a program. Programs for x64 need none.
 */
export function removeSignature(bytes) {
  if (bytes.readUInt32LE(0) !== magic) throw new Error('not a Mach-O file for 64 bits');
  const commands = listCommands(bytes);
  const signature = commands.at(-1);
  const linkEdit = commands.find(({ type, at }) => type === segment && readName(bytes, at + 8) === '__LINKEDIT');
  if (signature?.type !== codeSignature || linkEdit === undefined)
    throw new Error('the signature is not the last part');
  const end = bytes.readUInt32LE(signature.at + 8);
  const unsigned = Buffer.from(bytes.subarray(0, end));
  unsigned.fill(0, signature.at, signature.at + signature.size);
  unsigned.writeUInt32LE(commands.length - 1, 16);
  unsigned.writeUInt32LE(bytes.readUInt32LE(20) - signature.size, 20);
  const start = bytes.readBigUInt64LE(linkEdit.at + 40);
  unsigned.writeBigUInt64LE(BigInt(end) - start, linkEdit.at + 48);
  return unsigned;
}

function listCommands(bytes) {
  const commands = [];
  let at = 32;
  for (let count = bytes.readUInt32LE(16); count > 0; count--) {
    const size = bytes.readUInt32LE(at + 4);
    commands.push({ type: bytes.readUInt32LE(at), at, size });
    at += size;
  }
  return commands;
}

function readName(bytes, at) {
  return bytes.toString('latin1', at, at + 16).replace(/\0+$/, '');
}
