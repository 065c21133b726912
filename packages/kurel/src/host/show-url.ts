import { escapeControls } from '../diagnostics/index.ts';

const longest = 300;

/** The URL as messages show it: without a user's password, nothing hidden, and not longer than a few lines. */
export function showUrl(url: string): string {
  const text = hideUser(url);
  return `"${escapeControls(text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)}"`;
}

export function hideUser(url: string): string {
  return url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');
}

/** A redirect often carries a signature in its query, which is as good as a password for a while. */
export function withoutSecrets(url: URL): string {
  return hideUser(url.href.replace(/[?#].*$/, '')) + (url.search === '' ? '' : '?…');
}
