import { isDeepStrictEqual } from 'node:util';

import { isJsonArray, isJsonObject, readJson, type Json } from '../../../packages/kurel/src/model/index.ts';
import { checkMarkers, readYaml } from '../../../packages/kurel/src/yaml/index.ts';
import { isJsonText } from '../../../packages/kurel/src/yaml/read-scalar.ts';
import { readV2, readV3, type Answer, type Reading } from './read-answer.ts';

/** How our reading of a text relates to those of the cluster. */
export type Outcome =
  /** All three read the same. */
  | 'equal'
  /** JSON that readers of YAML refuse; kubectl reads it as JSON, and as we do. */
  | 'json'
  /** We refuse it, and so does at least one of them, or they do not agree. */
  | 'refused by all'
  /** We refuse it, and they agree on what it is. */
  | 'refused by us'
  | 'different';

export function readOwn(text: string): Reading {
  const source = { path: 'a.yaml', text };
  const reading = readYaml(source);
  const { documents } = reading;
  // A warning about markers says that both refuse the text.
  const [problem] = [...reading.diagnostics, ...checkMarkers(source, reading)];
  if (problem !== undefined) return { refused: problem.code };
  return { documents: documents.flatMap(({ data }) => (data === undefined || data === null ? [] : [data])) };
}

export function compareReadings(text: string, own: Reading, answer: Answer): Outcome {
  const readings = readByCluster(text, answer);
  if (!('refused' in own)) {
    if (!readings.every((one) => says(one, own.documents))) return 'different';
    return readings.length === 1 ? 'json' : 'equal';
  }
  const [first] = readings;
  const isAgreed = first !== undefined && 'documents' in first && readings.every((one) => says(one, first.documents));
  return isAgreed ? 'refused by us' : 'refused by all';
}

/** As each of them reads the text; kubectl reads JSON as JSON. */
export function readByCluster(text: string, answer: Answer): readonly Reading[] {
  const kustomize = readV3(answer.v3);
  if (!isJsonText({ path: '', text })) return [readV2(answer.v2), kustomize];
  const reading = readJson(text, { exactIntegers: true, lastKeyWins: true });
  const kubectl = 'data' in reading ? { documents: [reading.data] } : { refused: reading.reason };
  // Its reader knows only the escapes of YAML.
  return 'refused' in kustomize ? [kubectl] : [kubectl, kustomize];
}

export function says(reading: Reading, documents: readonly Json[]): boolean {
  return 'documents' in reading && isSame(reading.documents, documents);
}

function isSame(one: readonly Json[], other: readonly Json[]): boolean {
  return isDeepStrictEqual(one.map(normalize), other.map(normalize));
}

/** In any order of keys, and with integers beyond 64 bits rounded as kubectl rounds them; we keep all their digits. */
function normalize(data: Json): unknown {
  if (isJsonArray(data)) return data.map(normalize);
  if (isJsonObject(data)) {
    const keys = Object.keys(data).toSorted();
    return keys.map((key) => [key, normalize(data[key]!)]);
  }
  if (data === 0) return 0;
  if (typeof data !== 'bigint') return data;
  return BigInt.asIntN(64, data) === data || BigInt.asUintN(64, data) === data ? data : Number(data);
}
