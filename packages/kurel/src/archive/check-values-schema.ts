import { quote } from '../diagnostics/index.ts';

/** Whether helm may take a file for the schema of a chart's values. */
export function isValuesSchema(path: string): boolean {
  return /(?:^|\/)values\.schema\.json$/i.test(path);
}

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);
/** The schemas of JSON Schema itself are part of helm. */
const builtIn = /^https?:\/\/json-schema\.org\//;

/**
 * Why a `values.schema.json` is not given to helm, in words that complete a sentence; `undefined` when nothing is wrong. Helm
 * loads whatever a schema refers to, `file:///etc/passwd` too, so that only references within the schema pass.
 */
export function checkValuesSchema(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    return 'is not valid JSON';
  }
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') waiting.push(inner);
      else if (referring.has(key) && !inner.startsWith('#') && !builtIn.test(inner)) {
        return `refers to ${quote(inner)} in ${quote(key)}, outside of the schema`;
      }
    }
  }
  return undefined;
}
