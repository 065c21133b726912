export function isAddress(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** What kustomize clones although there may be a directory of that name. */
export function isRepository(text: string): boolean {
  return /^(?:git::|gh:|[a-z][a-z0-9-]*@|(?:www\.)?github\.com[:/])/i.test(text);
}

/** What kustomize would take for an address once it has found no file of that name. */
export function looksRemote(text: string): boolean {
  if (isAddress(text) || isRepository(text) || /[?&](?:ref|version)=/.test(text)) return true;
  // `user@host:path`
  const head = /^[^/\s]*/.exec(text)![0];
  const at = head.indexOf('@', 1);
  if (at !== -1 && head.includes(':', at + 2)) return true;
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}[/:][^/]+\/[^/]+/i.test(text);
}
