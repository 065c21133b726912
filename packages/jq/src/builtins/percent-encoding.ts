import { refuse } from '../values/describe.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

export function percentEncode(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~]+/gu, (part) =>
    encodeUtf8(part)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

export function percentDecode(text: string): string {
  return text.replace(/(?:%[\da-fA-F]{2})+|%/g, (run) => {
    if (run === '%') return refuse(text, 'is not a valid uri encoding');
    const bytes = run
      .slice(1)
      .split('%')
      .map((hex) => Number.parseInt(hex, 16));
    const { text: decoded, broken } = decodeUtf8(bytes);
    return broken ? refuse(text, 'is not a valid uri encoding') : decoded;
  });
}
