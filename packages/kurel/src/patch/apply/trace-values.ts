import { hiddenText, isSecretName } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { Patch, Step } from '../patch.ts';
import type { Place } from './find-places.ts';
import { describeValue, formatPath } from './format-path.ts';
import type { ObjectPatching } from './patch-run.ts';
import type { PreparedValue } from './prepared.ts';
import { typeValue } from './type-value.ts';

const secretFields: readonly unknown[] = ['data', 'stringData'];

/**
 * What a patch says, as the trace shows it. That ends up in the logs of whoever looks for a mistake, where nobody expects a password;
 * which object it is for is not known yet, so whatever may be for a Secret is hidden.
 */
export function traceValueOf(patch: Patch): string {
  if (mayHoldSecret(patch)) return hiddenText;
  if (patch.type !== 'field') return describeValue(patch.document);
  const { value } = patch;
  if (value.type === 'scalar') return JSON.stringify(value.template.text);
  return value.type === 'data' ? describeValue(value.data) : value.type;
}

/** Whether the trace shows what an object gets at a path. */
function isTraced({ object }: ObjectPatching, path: Path): boolean {
  if (object.kind === 'Secret' && secretFields.includes(path[0])) return false;
  return !path.some((step) => typeof step === 'string' && isSecretName(step));
}

function mayHoldSecret(patch: Patch): boolean {
  const kind = kindOfTarget(patch);
  if (patch.type !== 'field') {
    const { document } = patch;
    if (kind !== undefined) return isSecretKind(kind);
    // Operations of JSON Patch name their fields in texts.
    if (!isJsonObject(document)) return true;
    return document['kind'] === 'Secret' || secretFields.some((field) => Object.hasOwn(document, String(field)));
  }
  const names = patch.steps.map(nameOf);
  if (names.some((name) => name !== undefined && isSecretName(name))) return true;
  return kind === undefined ? secretFields.includes(names[0]) : isSecretKind(kind);
}

/** `undefined` when the target says no kind. */
function kindOfTarget({ target }: Patch): string | undefined {
  if (target.type === 'header') return target.kind.text === '' ? undefined : target.kind.text;
  if (target.type !== 'text') return undefined;
  const words = target.text.text.slice(target.text.text.lastIndexOf('/') + 1);
  return words.includes('.') ? words.slice(0, words.indexOf('.')) : undefined;
}

/** What stands before the dot may also be the beginning of a name, and a variable may be anything. */
function isSecretKind(kind: string): boolean {
  return /^secrets?$/i.test(kind) || kind.includes('${') || kind === '*';
}

function nameOf(step: Step | undefined): string | undefined {
  return step?.type === 'field' ? step.name.text : undefined;
}

/** A value for a place, as the type of the field wants it. */
export function typeAndTrace(
  value: Exclude<PreparedValue, { readonly type: 'item' }>,
  { path, node }: Place,
  patching: ObjectPatching,
): Json {
  const typed = typeValue(value, { node, path });
  if (patching.trace !== undefined) {
    const isShown = isTraced(patching, path);
    const written = value.type === 'lexeme' ? JSON.stringify(value.text) : describeValue(value.data);
    const change = isShown ? `${written} → ${describeValue(typed)}` : '(hidden)';
    const reason = node === undefined ? 'the field is not known' : `the field takes ${node.type}`;
    patching.trace(`${patching.key}: ${formatPath(path)}: ${change}, ${reason}`);
  }
  return typed;
}
