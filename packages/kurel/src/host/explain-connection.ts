import { escapeControls } from '../diagnostics/index.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'its host does not exist'],
  ['EAI_AGAIN', 'its host cannot be resolved now'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed early'],
  ['EPIPE', 'the connection was closed early'],
  ['EHOSTUNREACH', 'its host is unreachable'],
  ['ENETUNREACH', 'its network is unreachable'],
  ['ETIMEDOUT', 'the connection timed out'],
]);

/** Why the connection failed, as the end of the sentence `cannot fetch "https://…": …`. */
export function explainConnection(cause: unknown): string {
  const { code, message } =
    cause instanceof Error ? (cause as Error & { readonly code?: string }) : { message: String(cause) };
  const detail = escapeControls(message.slice(0, 200));
  if (code === undefined) return detail;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) return `its certificate is not trusted (${detail})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'its host does not support TLS on this port';
  if (code.startsWith('HPE_')) return `the response is not HTTP (${detail})`;
  return reasons.get(code) ?? (detail === '' ? code : detail);
}
