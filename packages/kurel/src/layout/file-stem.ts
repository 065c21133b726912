const longest = 200;
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * A file name without its ending that every disk takes, of texts that may be anything: names of some kinds may hold `:` and
 * capitals, and everything a disk could take amiss becomes `%XX`.
 */
export function fileStemOf(...parts: readonly string[]): string {
  const stem = parts.map(escapePart).join('-');
  const short = stem.length <= longest ? stem : `${stem.slice(0, longest - 9)}-${shortHash(stem)}`;
  return isTaken(short) ? escapeBytes(short[0]!) + short.slice(1) : short;
}

function escapePart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]|^\.+/gu, escapeBytes);
}

/** Names that Windows keeps for devices, and the one by which kustomize, Flux and Argo CD know a kustomization. */
function isTaken(stem: string): boolean {
  return deviceName.test(stem) || stem.toLowerCase() === 'kustomization';
}

function escapeBytes(characters: string): string {
  const bytes = new TextEncoder().encode(characters);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** FNV-1a: enough to tell names apart that were cut; a clash is still found as a collision. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
