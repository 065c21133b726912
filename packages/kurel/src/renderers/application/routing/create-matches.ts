import { quote } from '../../../diagnostics/index.ts';
import { has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { httprouteProblems } from './httproute-problems.ts';

/** Matches of a rule, with the usual types where none are said. */
export function createMatches(matches: readonly Json[], path: Path, report: ReportAt): readonly Json[] {
  return matches.map((match, index) => {
    if (!isJsonObject(match)) return match;
    const ofPath = mappingAt(match, 'path');
    const value = textAt(ofPath, 'value');
    const reason = textAt(ofPath, 'type') === 'RegularExpression' ? undefined : explainPath(value ?? '/');
    if (reason !== undefined) {
      const place = [...path, index, 'path', 'value'];
      report(httprouteProblems.create('httproute-path-invalid', { path: value!, reason }), place);
    }
    return {
      ...match,
      ...(ofPath === undefined ? {} : { path: complete(ofPath, { type: 'PathPrefix', value: '/' }) }),
      ...completeAll(match, 'headers'),
      ...completeAll(match, 'queryParams'),
    };
  });
}

// Gateways bring paths into one form before they match them: what is gone by then would never be matched.
const lost = ['//', '/./', '/../', '%2f', '%2F', '#'];
const lostEnds = ['/..', '/.'];

function explainPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must begin with "/"';
  const part = lost.find((one) => path.includes(one)) ?? lostEnds.find((one) => path.endsWith(one));
  if (part !== undefined) return `must not have ${quote(part)}`;
  return /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/.test(path)
    ? undefined
    : 'must have only characters that paths of URLs have; others are written as %20';
}

function completeAll(match: JsonObject, key: string): JsonObject {
  return has(match, key) ? { [key]: listAt(match, key).map((one) => complete(one, { type: 'Exact' })) } : {};
}

/** The same mapping when it says everything itself, so that it is known where it was written. */
function complete(mapping: Json, usual: JsonObject): Json {
  const missing = Object.keys(usual).filter((key) => !has(mapping, key));
  if (missing.length === 0 || !isJsonObject(mapping)) return mapping;
  const added = Object.fromEntries(missing.map((key) => [key, usual[key]!]));
  return { ...added, ...mapping, ...added };
}
