import { DiagnosticError } from '../diagnostics/index.ts';
import { describeObject } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { printObject } from './print-object.ts';
import { layoutProblems } from './problems.ts';

// Nearly as many as one string of V8 can hold, with the lines between documents.
const mostText = 500 * 1024 * 1024;

/** The text of one object in the format of the layout; what no manifest can hold (NaN from a jq program, say) is reported. */
export function writeObject(object: KubeObject, input: LayoutInput): string | undefined {
  const { origins, format } = input;
  return writeGuarded([object], input, () =>
    format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object)),
  );
}

/** What `write` gives for the objects of one document; `undefined` when one of them cannot be written, which is reported. */
export function writeGuarded(
  objects: readonly KubeObject[],
  input: LayoutInput,
  write: () => string,
): string | undefined {
  const { report, written } = input;
  try {
    const text = write();
    if (written !== undefined && (written.length += text.length) > mostText) refuseMore(objects[0]!);
    return text;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const object = objects.find(isUnwritable) ?? objects[0]!;
    const args = { object: describeObject(object), reason: error.message };
    report(layoutProblems.create('object-unwritable', args, { subject: { object, path: [] } }));
    return undefined;
  }
}

function isUnwritable(object: KubeObject): boolean {
  try {
    writeJson(object);
    return false;
  } catch (error) {
    return isRefusal(error);
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}

/** What a patch puts into thousands of objects grows beyond all bounds only here. */
function refuseMore(object: KubeObject): never {
  const args = { object: describeObject(object), limit: mostText };
  throw new DiagnosticError([layoutProblems.create('output-too-large', args, { subject: { object, path: [] } })]);
}
