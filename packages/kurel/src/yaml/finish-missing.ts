import type { Json } from '../model/index.ts';
import { openAnchor } from './read-alias.ts';
import { resolveScalar, type Properties } from './properties.ts';
import type { Reading } from './reading.ts';

/** The value of `key:` or `-` with nothing behind it, or with no more than an anchor or tag. */
export function finishMissing(r: Reading, properties: Properties | undefined, at: number): Json {
  r.valueStyle = 'missing';
  r.valueDecorated = properties !== undefined;
  r.valueStart = properties?.start ?? at;
  r.contentEnd = properties?.end ?? at;
  if (properties === undefined) return null;
  const range = { start: r.valueStart, end: r.contentEnd };
  const value = resolveScalar(r, properties, { text: '', plain: true, range });
  if (properties.anchor !== undefined) openAnchor(r, properties.anchor).value = value;
  return value;
}
