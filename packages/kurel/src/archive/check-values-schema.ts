import { quote } from '../diagnostics/index.ts';

/** Whether helm may read a file as the schema of a chart's values. */
export function isValuesSchema(path: string): boolean {
  return /(?:^|\/)values\.schema\.json$/i.test(path);
}

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);
/** helm includes the schemas of JSON Schema itself. */
const builtIn = /^https?:\/\/json-schema\.org\//;

/**
 * Why a `values.schema.json` is not passed to helm, as the end of a sentence; `undefined` if it is fine. helm
 * loads everything that a schema refers to, even `file:///etc/passwd`, so only references within the schema are allowed.
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
        return `refers to ${quote(inner)} in ${quote(key)}, which is outside the schema`;
      }
    }
  }
  return undefined;
}
