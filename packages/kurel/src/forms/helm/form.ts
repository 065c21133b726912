import { DiagnosticError } from '../../diagnostics/index.ts';
import { SourceError } from '../../engine/index.ts';
import type { Diagnostic, RenderContext, Renderer } from '../../model/index.ts';
import { beginProvenance } from '../../provenance/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import type { InputRequest } from '../form.ts';
import { noPrograms } from '../run-program.ts';
import { inputProblems } from '../problems.ts';
import { placeInNamespace } from '../put-in-namespace.ts';
import { helmRenderer } from './helm-renderer.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const objects = await createRenderer(request).process(request.values ?? {}, context);
  const provenance = beginProvenance({ origins: context.origins, objects });
  const { namespace } = request;
  return placeInNamespace({ objects, provenance, facts: {} }, { namespace, which: 'those-without' }, context);
}

function createRenderer(request: InputRequest): Renderer {
  const { fileSystem, path, namespace, chart = {}, programs = noPrograms } = request;
  const source = {
    chart: path,
    releaseName: chart.releaseName ?? 'release-name',
    includeCrds: chart.includeCrds === true,
    skipTests: chart.skipTests === true,
    apiVersions: chart.apiVersions ?? [],
    ...(namespace === undefined ? {} : { releaseNamespace: namespace }),
    ...(chart.kubeVersion === undefined ? {} : { kubeVersion: chart.kubeVersion }),
  };
  try {
    return helmRenderer(source, { fileSystem, programs, allowNetwork: request.allowNetwork === true });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const reasons = error.message.replaceAll(/^source 0: /gm, '').split('\n');
    throw new DiagnosticError(reasons.map(explainSetting), { cause: error });
  }
}

const settings: readonly (readonly [field: RegExp, words: string, flag: string])[] = [
  [/^releaseName\b/, 'the release name', '--release-name'],
  [/^releaseNamespace\b/, 'the namespace', '--namespace'],
  [/^kubeVersion\b/, 'the Kubernetes version of the chart', '--kube-version'],
  [/^apiVersions\[\d+\]/, 'the API version of the chart', '--api-version'],
];

/** Renderers report field names of the source; the command line has other names for them. */
function explainSetting(reason: string): Diagnostic {
  const [field, words, flag] = settings.find(([one]) => one.test(reason)) ?? [];
  const explained = field === undefined ? reason : reason.replace(field, () => words!);
  return inputProblems.create('input-setting-refused', { reason: explained, flag });
}
