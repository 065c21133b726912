import { DiagnosticError } from '../diagnostics/index.ts';
import { describeObject, locateObject } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { printObject } from './print-object.ts';
import { layoutProblems } from './problems.ts';

// Nearly as many as one string of V8 can hold, with the lines between documents.
const mostText = 500 * 1024 * 1024;

/** The text of one object in the format of the layout; what no manifest can hold (NaN from a jq program, say) is reported. */
export function writeObject(object: KubeObject, input: LayoutInput): string | undefined {
  const { origins, format, report, written } = input;
  try {
    const text = format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object));
    if (written !== undefined && (written.length += text.length) > mostText) refuseMore(object, input);
    return text;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const args = { object: describeObject(object), reason: error.message };
    report(layoutProblems.create('object-unwritable', args, { location: locateObject(object, origins) }));
    return undefined;
  }
}

/** What a patch puts into thousands of objects grows beyond all bounds only here. */
function refuseMore(object: KubeObject, { origins }: LayoutInput): never {
  const args = { object: describeObject(object), limit: mostText };
  throw new DiagnosticError([
    layoutProblems.create('output-too-large', args, { location: locateObject(object, origins) }),
  ]);
}
