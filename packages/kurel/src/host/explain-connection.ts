import { escapeControls } from '../diagnostics/index.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'its host has no address'],
  ['EAI_AGAIN', 'the address of its host cannot be found now'],
  ['ECONNREFUSED', 'nobody answers at its host and port'],
  ['ECONNRESET', 'the connection ended before the answer did'],
  ['EPIPE', 'the connection ended before the answer did'],
  ['EHOSTUNREACH', 'there is no way to its host'],
  ['ENETUNREACH', 'there is no way to its host'],
  ['ETIMEDOUT', 'its host does not answer'],
]);

/** Why there is no answer, in words that complete a sentence. */
export function explainConnection(cause: unknown): string {
  const { code, message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  const detail = escapeControls(message.slice(0, 200));
  if (code === undefined) return detail;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) return `its certificate is not trusted (${detail})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'its host does not speak TLS there';
  if (code.startsWith('HPE_')) return `the answer is no HTTP (${detail})`;
  return reasons.get(code) ?? (detail === '' ? code : detail);
}
