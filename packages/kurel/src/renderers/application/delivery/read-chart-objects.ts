import { quote } from '../../../diagnostics/index.ts';
import { annotationsOf, decodeObjects, nameOf } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import type { Delivery } from '../catalog/define.ts';
import { cleanObject } from '../manifests/clean-object.ts';
import { chartProblems } from './chart-problems.ts';

interface ChartOutput {
  /** What `helm template` printed. */
  readonly text: string;
  readonly engine: Delivery['engine'];
  readonly report: (diagnostic: Diagnostic) => void;
}

// helm says in front of each document which template it is of.
const sourceMark = '\n# Source: ';

/** The objects of a chart; none when something in the text is no manifest. */
export function readChartObjects({ text, engine, report }: ChartOutput): readonly KubeObject[] {
  const file = 'helm template';
  const { documents, diagnostics } = readYaml({ path: file, text });
  let isRead = true;
  const refuse = (reason: string, offset: number): void => {
    isRead = false;
    const start = text.lastIndexOf(sourceMark, offset);
    const template = start === -1 ? undefined : text.slice(start + sourceMark.length).split('\n', 1)[0];
    report(chartProblems.create('helmchart-output', { template, reason }));
  };
  const endOf = (document: number = 0): number => documents.find(({ index }) => index === document)?.range.end ?? 0;
  const tell = ({ severity, message, location }: Diagnostic): void => {
    if (severity === 'error') refuse(message, location?.range?.start ?? endOf(location?.document));
  };
  diagnostics.forEach(tell);
  const decoded = decodeObjects(documents, {
    file,
    report: tell,
    onSkip: ({ document, reason }) => refuse(`document ${document + 1} has ${reason}`, endOf(document)),
  });
  if (!isRead) return [];
  if (decoded.length === 0) report(chartProblems.create('helmchart-empty', {}));
  const objects = decoded.map(({ object }) => cleanObject(object));
  // Argo CD knows hooks by helm's own annotations.
  return engine === 'argocd' ? objects : withoutLaterHooks(objects, report);
}

// When helm installs or upgrades a chart, it makes nothing of an object that has only these.
const later: ReadonlySet<string> = new Set(['pre-delete', 'post-delete', 'pre-rollback', 'post-rollback']);

function withoutLaterHooks(objects: readonly KubeObject[], report: ChartOutput['report']): readonly KubeObject[] {
  const hooks = objects.filter((object) => hooksOf(object).length > 0);
  const out = new Set(hooks.filter((object) => hooksOf(object).every((hook) => later.has(hook))));
  const kept = hooks.filter((object) => !out.has(object));
  if (kept.length > 0) report(chartProblems.create('helmchart-hooks', { hooks: kept.map(describeHook) }));
  if (out.size > 0) report(chartProblems.create('helmchart-hooks-left-out', { hooks: [...out].map(describeHook) }));
  return objects.filter((object) => !out.has(object));
}

function hooksOf(object: KubeObject): readonly string[] {
  const words = (annotationsOf(object)['helm.sh/hook'] ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

function describeHook(object: KubeObject): string {
  return `${object.kind} ${quote(nameOf(object))} (${hooksOf(object).join(', ')})`;
}
