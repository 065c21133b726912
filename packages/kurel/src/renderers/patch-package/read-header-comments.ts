import type { Report, SourceFile } from '../../model/index.ts';
import { packageProblems } from './problems.ts';
import type { Sidecar } from './patch-package.ts';
import { completeIdentity } from './read-sidecar.ts';

const line = /^#[ \t]*kurel:(enabled|description|requires|conflicts):[ \t]*(.*?)[ \t]*\r?$/;

/** The old form: `# kurel:enabled: ${a.b}` in the comments at the very top of a patch. */
export function readHeaderComments(
  source: SourceFile,
  { report, sidecarName }: { readonly report: Report; readonly sidecarName: string },
): Sidecar | undefined {
  const said = new Map<string, string>();
  let offset = 0;
  for (const text of source.text.split('\n')) {
    if (!/^[ \t]*(?:#|\r?$)/.test(text)) break;
    const [, name, value] = line.exec(text) ?? [];
    if (name !== undefined && value !== undefined) {
      said.set(name, value);
      const location = { file: source.path, range: { start: offset, end: offset + text.trimEnd().length } };
      const args = { name: `kurel:${name}`, sidecar: sidecarName };
      report(packageProblems.create('patch-header-comment', args, { location }));
    }
    offset += text.length + 1;
  }
  if (said.size === 0) return undefined;
  const whole = { file: source.path, range: { start: 0, end: Math.max(0, offset - 1) } };
  const references = (name: string) =>
    (said.get(name) ?? '')
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map((word) => ({ id: completeIdentity(word), location: whole }));
  return {
    source,
    enabled: said.get('enabled'),
    description: said.get('description'),
    requires: references('requires'),
    conflicts: references('conflicts'),
  };
}
