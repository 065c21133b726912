import type { Random } from '../../../fuzz/random.ts';
import { isJsonArray, isJsonObject, type Json } from '../../../packages/kurel/src/model/index.ts';
import { checkMarkers, editDocument, readYaml, writeJson, writeYaml } from '../../../packages/kurel/src/yaml/index.ts';
import { mutateText, payload } from './mutate-text.ts';

/** A text that we wrote, and what it has to say. */
export interface Written {
  readonly how: 'writeYaml' | 'writeJson' | 'editDocument';
  readonly text: string;
  readonly documents: readonly Json[];
}

/** The text with changed data, written in one of the ways that kurel writes: anew, or into the text. */
export function makeEdit(text: string, random: Random): Written | undefined {
  const source = { path: 'a.yaml', text };
  const reading = readYaml(source);
  const { documents } = reading;
  const diagnostics = [...reading.diagnostics, ...checkMarkers(source, reading)];
  const chosen = documents[random.below(documents.length || 1)];
  if (diagnostics.length > 0 || chosen?.data === undefined || chosen.data === null) return undefined;
  const data = changeData(chosen.data, random);
  const how = random.pick(['writeYaml', 'writeJson', 'editDocument', 'editDocument', 'editDocument'] as const);
  if (how === 'writeYaml') return { how, text: writeYaml(data), documents: [data] };
  if (how === 'writeJson') return { how, text: writeJson(data, random.pick([0, 2])), documents: [data] };
  const { start, end } = chosen.range;
  const edited = editDocument(source, chosen.range, { wanted: data, parsed: chosen.data });
  return {
    how,
    text: text.slice(0, start) + edited + text.slice(end),
    documents: documents.flatMap((one) => (one === chosen ? [data] : [one.data ?? null])).filter((one) => one !== null),
  };
}

/** Data with one to three other values: strings that are hard to write, at any place, also as keys. */
function changeData(data: Json, random: Random): Json {
  let result = data;
  for (let left = 1 + random.below(3); left > 0; left--) result = changeOne(result, random) ?? result;
  return result;
}

function changeOne(data: Json, random: Random): Json {
  if (isJsonArray(data) && data.length > 0 && random.below(6) > 0) {
    const at = random.below(data.length);
    if (random.below(8) === 0) return data.toSpliced(at, random.below(2), makeValue(data[at]!, random));
    return data.with(at, changeOne(data[at]!, random));
  }
  if (isJsonObject(data) && Object.keys(data).length > 0 && random.below(6) > 0) {
    const key = random.pick(Object.keys(data));
    switch (random.below(10)) {
      case 0:
        return { ...data, [makeString(key, random)]: makeValue(data[key]!, random) };
      case 1:
        return Object.fromEntries(Object.entries(data).filter(([name]) => name !== key));
      default:
        return { ...data, [key]: changeOne(data[key]!, random) };
    }
  }
  return makeValue(data, random);
}

function makeValue(data: Json, random: Random): Json {
  switch (random.below(10)) {
    case 0:
      return random.pick<Json>([null, true, false, 0, -1, 1.5, 1e21, 9007199254740993n, [], {}]);
    case 1:
      return [makeString('item', random), { [makeString('key', random)]: makeString('value', random) }];
    case 2:
      return { [makeString('key', random)]: makeString('value', random) };
    default:
      return makeString(typeof data === 'string' ? data : 'text', random);
  }
}

function makeString(text: string, random: Random): string {
  switch (random.below(6)) {
    case 0:
      return payload(random);
    case 1:
      return `${text}\n${mutateText(text, random)}\n`;
    case 2:
      return payload(random) + text + payload(random);
    default:
      return mutateText(text, random);
  }
}
