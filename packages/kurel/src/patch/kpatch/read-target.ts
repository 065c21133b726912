import { quote, sentence, setting } from '../../diagnostics/index.ts';
import { isKnownKind } from '../../kube/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { HeaderTarget } from '../patch.ts';
import { peek, isBlankOrEnd, isQuote, refuse, sample, skipGap, trimBlanks } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { closeBracket, endsStep } from './read-steps.ts';
import { passName, readNameTemplate, readQuoted, refuseCharacter, withoutVariables } from './read-name.ts';

export const headerForm = 'use a header such as `[deployment.web]` or `[namespace/deployment.web]`';

const groupForm = 'use `[deployment@apps/web]` to add the API group';

type TargetParts = Omit<HeaderTarget, 'location'>;

/** Reads `namespace/kind.name`, `kind@group/name` or `kind["name"]`. */
export function readTarget(cursor: Cursor): TargetParts | undefined {
  const start = cursor.pos;
  const namespace = readNamespace(cursor);
  if (cursor.problem !== undefined) return undefined;
  const kind = readKind(cursor, namespace === undefined ? start : cursor.pos);
  if (kind === undefined) return undefined;
  const parts = { type: 'header', ...(namespace === undefined ? {} : { namespace }), kind } as const;
  const character = peek(cursor);
  if (character === '@') {
    const group = readGroup(cursor, kind.text);
    return group === undefined ? undefined : readName(cursor, { ...parts, group });
  }
  if (character === '.') return readName(cursor, parts);
  if (character === '[') return readBracketName(cursor, parts);
  if (character !== ']' && !isBlankOrEnd(character)) return refuseCharacter(cursor, start);
  const range = { start, end: cursor.pos };
  // kubectl's `kind/name`; a namespace cannot start with a capital letter.
  if (namespace !== undefined && (/^[A-Z]/.test(namespace.text) || isOnlyKind(namespace.text, kind.text))) {
    return refuse(cursor, {
      reason: `expected \`.\` after the kind ${quote(namespace.text)}, got \`/\``,
      hint: `use \`[${sample(`${namespace.text.toLowerCase()}.${kind.text}`)}]\``,
      range,
    });
  }
  if (/^(?:variables?|vars?|values|parameters?|params?)$/i.test(kind.text)) {
    return refuse(cursor, {
      reason: `${quote(kind.text)} is not a kind, and a patch cannot define parameters`,
      hint: sentence`define them in the parameters.yaml of the package, or with ${setting('set')} and ${setting('values')}`,
      range,
    });
  }
  const written = sample(namespace === undefined ? kind.text : `${namespace.text}/${kind.text}`);
  return refuse(cursor, {
    reason: `the header has the kind ${quote(kind.text)}, but no name`,
    hint: `use \`[${written}.name]\`, or \`[${written}.*]\` for all of them`,
    range,
  });
}

function isOnlyKind(kind: string, other: string): boolean {
  return isKnownKind(kind) && !isKnownKind(other);
}

/** Reads `namespace/`. Without a namespace, returns `undefined` and may have consumed the kind. */
function readNamespace(cursor: Cursor): Template | undefined {
  const start = cursor.pos;
  const isQuoted = isQuote(peek(cursor));
  let name: string | undefined;
  if (isQuoted) {
    name = readQuoted(cursor);
    if (name === undefined) return undefined;
  } else if (passName(cursor, { stopAtSlash: true, stopAtGroup: true, wildcards: true })) {
    name = cursor.text.slice(start, cursor.pos);
  } else return undefined;
  const range = { start, end: cursor.pos };
  if (peek(cursor) !== '/') {
    if (isQuoted) refuse(cursor, { reason: `the kind ${quote(name)} is in quotes`, hint: headerForm, range });
    return undefined;
  }
  cursor.pos += 1;
  if (name === '') {
    return refuse(cursor, { reason: 'the namespace before `/` is missing', hint: headerForm, range });
  }
  if (!isQuoted && hasWildcard(name)) {
    const hint = 'name one namespace; only object names accept wildcards: `[deployment.web-*]`';
    return refuse(cursor, { reason: `the namespace ${quote(name)} has a wildcard`, hint, range });
  }
  return readNameTemplate(cursor, name, range);
}

/** The kind, which starts at `start`; already consumed without a namespace. */
function readKind(cursor: Cursor, start: number): Template | undefined {
  if (!passName(cursor, { stopAtGroup: true, wildcards: true })) return undefined;
  const kind = cursor.text.slice(start, cursor.pos);
  const range = { start, end: cursor.pos };
  if (kind === '') {
    if (!endsStep(cursor)) return refuseCharacter(cursor, start);
    return refuse(cursor, { reason: 'the kind is missing', hint: headerForm, range });
  }
  if (withoutVariables(kind).includes('/')) {
    const reason = `the kind ${quote(kind)} has a second \`/\``;
    return refuse(cursor, { reason, hint: `${headerForm}; ${groupForm}`, range });
  }
  if (kind !== '*' && hasWildcard(kind)) {
    const hint = 'use the full kind, or `*` for every kind';
    return refuse(cursor, { reason: `the kind ${quote(kind)} contains a wildcard`, hint, range });
  }
  return readNameTemplate(cursor, kind, range);
}

function hasWildcard(name: string): boolean {
  return /[*?]/.test(withoutVariables(name));
}

/** Reads `@group` up to the `/`: a group may contain dots, so a dot cannot end it. */
function readGroup(cursor: Cursor, kind: string): Template | undefined {
  const at = cursor.pos;
  do {
    cursor.pos += 1;
    if (!passName(cursor, { stopAtSlash: true, stopAtGroup: true })) return undefined;
  } while (peek(cursor) === '.');
  const range = { start: at + 1, end: cursor.pos };
  const group = cursor.text.slice(range.start, range.end);
  const isClosed = peek(cursor) === '/';
  if (isClosed && group !== '') return readNameTemplate(cursor, group, range);
  const reason = isClosed ? 'the API group after `@` is missing' : 'a `/` and the name are missing after the API group';
  const hint = isClosed
    ? 'add the API group, as in `[deployment@apps/web]`; use `core` for the core group'
    : `use \`[${sample(`${kind}@${splitGroup(group)}`)}]\``;
  return refuse(cursor, { reason, hint, range: { start: at, end: Math.max(range.end, at + 1) } });
}

/** The most likely position of the `/`: after a Kubernetes group without dots, otherwise at the end. */
function splitGroup(text: string): string {
  const groupAndName = /^(apps|autoscaling|batch|core|policy)\.(.+)$/.exec(text);
  return groupAndName === null ? `${text === '' ? 'group' : text}/name` : `${groupAndName[1]}/${groupAndName[2]}`;
}

/** The name after `.` or, with a group, after `/`. */
function readName(cursor: Cursor, parts: Omit<TargetParts, 'name' | 'quoted'>): TargetParts | undefined {
  cursor.pos += 1;
  const start = cursor.pos;
  const quoted = isQuote(peek(cursor));
  if (quoted) return finishName(cursor, { ...parts, start });
  if (!passName(cursor, { wildcards: true })) return undefined;
  const range = { start, end: cursor.pos };
  const text = cursor.text.slice(start, cursor.pos);
  if (text === '') {
    if (!endsStep(cursor)) return refuseCharacter(cursor, start);
    const before = { start: start - 1, end: start };
    return refuse(cursor, { reason: 'a name is missing after the kind', hint: headerForm, range: before });
  }
  const name = readNameTemplate(cursor, text, range);
  return name === undefined ? undefined : { ...parts, name, quoted };
}

/** `["a.b"]`, for names with dots. */
function readBracketName(cursor: Cursor, parts: Omit<TargetParts, 'name' | 'quoted'>): TargetParts | undefined {
  const open = cursor.pos;
  cursor.pos += 1;
  skipGap(cursor);
  if (isQuote(peek(cursor))) {
    const target = finishName(cursor, { ...parts, start: cursor.pos });
    return target !== undefined && closeBracket(cursor, open) ? target : undefined;
  }
  const close = cursor.text.slice(0, cursor.end).indexOf(']', cursor.pos);
  const end = trimBlanks(cursor.text, { from: cursor.pos, to: close === -1 ? cursor.end : close });
  const word = sample(cursor.text.slice(cursor.pos, end));
  return refuse(cursor, {
    reason: 'expected a quoted name in brackets after the kind',
    hint: `use \`["${word.replaceAll(/["'\\]/g, '')}"]\`, or \`.name\``,
    range: { start: open, end: close === -1 ? open + 1 : close + 1 },
  });
}

function finishName(
  cursor: Cursor,
  { start, ...parts }: Omit<TargetParts, 'name' | 'quoted'> & { readonly start: number },
): TargetParts | undefined {
  const text = readQuoted(cursor);
  if (text === undefined) return undefined;
  const range = { start, end: cursor.pos };
  if (text === '') {
    return refuse(cursor, { reason: 'the name of the resource is empty', hint: headerForm, range });
  }
  const name = readNameTemplate(cursor, text, range);
  return name === undefined ? undefined : { ...parts, name, quoted: true };
}
