import { hiddenText, isSecretName } from '../../diagnostics/index.ts';
import { isSecretValue } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { Patch, Step } from '../patch.ts';
import type { Place } from './find-places.ts';
import { describeValue, formatPath } from './format-path.ts';
import type { ObjectPatching } from './patch-run.ts';
import type { PreparedValue } from './prepare-field.ts';
import { typeValue } from './type-value.ts';

const secretFields: readonly unknown[] = ['data', 'stringData'];

/**
 * The value of a patch in the trace. Traces end up in logs, so a value that may be for a Secret is hidden, even though the
 * target is not resolved yet.
 */
export function traceValueOf(patch: Patch): string {
  if (mayHoldSecret(patch)) return hiddenText;
  if (patch.type !== 'field') return describeValue(patch.document);
  const { value } = patch;
  if (value.type === 'scalar') return JSON.stringify(value.template.text);
  return value.type === 'data' ? describeValue(value.data) : value.type;
}

/** Whether the trace shows the value at a path of an object. */
function isTraced({ object }: ObjectPatching, path: Path): boolean {
  return !isSecretValue(object, path) && !path.some((step) => typeof step === 'string' && isSecretName(step));
}

function mayHoldSecret(patch: Patch): boolean {
  const kind = kindOfTarget(patch);
  if (patch.type !== 'field') {
    const { document } = patch;
    if (kind !== undefined) return isSecretKind(kind);
    // JSON Patch operations name their fields in strings.
    if (!isJsonObject(document)) return true;
    return document['kind'] === 'Secret' || secretFields.some((field) => Object.hasOwn(document, String(field)));
  }
  const names = patch.steps.map(nameOf);
  if (names.some((name) => name !== undefined && isSecretName(name))) return true;
  return kind === undefined ? secretFields.includes(names[0]) : isSecretKind(kind);
}

/** `undefined` if the target does not name a kind. */
function kindOfTarget({ target }: Patch): string | undefined {
  if (target.type === 'header') return target.kind.text === '' ? undefined : target.kind.text;
  if (target.type !== 'text') return undefined;
  const words = target.text.text.slice(target.text.text.lastIndexOf('/') + 1);
  return words.includes('.') ? words.slice(0, words.indexOf('.')) : undefined;
}

/** The part before the dot may also be the start of a name, and a reference may be anything. */
function isSecretKind(kind: string): boolean {
  return /^secrets?$/i.test(kind) || kind.includes('${') || kind === '*';
}

function nameOf(step: Step | undefined): string | undefined {
  return step?.type === 'field' ? step.name.text : undefined;
}

/** Converts a value to the type of its field. */
export function typeAndTrace(
  value: Exclude<PreparedValue, { readonly type: 'item' }>,
  { path, node }: Place,
  patching: ObjectPatching,
): Json {
  const typed = typeValue(value, { node, path });
  if (patching.run.options.trace !== undefined) {
    const isShown = isTraced(patching, path);
    const written = value.type === 'lexeme' ? JSON.stringify(value.text) : describeValue(value.data);
    const change = isShown ? `${written} → ${describeValue(typed)}` : '(hidden)';
    const reason = node === undefined ? 'unknown field type' : `field type ${node.type}`;
    patching.run.options.trace(`${patching.key}: ${formatPath(path)}: ${change}, ${reason}`);
  }
  return typed;
}
