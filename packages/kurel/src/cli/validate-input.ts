import { summarise } from '../diagnostics/index.ts';
import type { CheckedSubject } from '../diagnostics/index.ts';
import { describeObject } from '../index.ts';
import type { BuildRequest, BuildResult, Form } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import { buildValidated } from './build-validated.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { InputFlags } from './input-flags.ts';
import type { OpenedInput } from './open-input.ts';
import type { Findings } from './print-diagnostics.ts';
import { readRequest } from './read-request.ts';
import type { PackageReport } from './report/package-report.ts';
import type { validationFlags } from './validation-flags.ts';

/** What was found about one input. */
export interface InputValidation extends Findings {
  /** What was checked, for a report that lists it. */
  readonly subjects: readonly CheckedSubject[];
  /** The last line of a text about these of the findings. */
  readonly summarise: (diagnostics: readonly Diagnostic[]) => string;
  /** Of a patch package. */
  readonly report?: PackageReport | undefined;
}

export interface InputCall {
  readonly flags: FlagValues<InputFlags & typeof validationFlags>;
  readonly environment: Environment;
  /** Of all inputs of the command. */
  readonly forms: readonly Form[];
}

/** Builds and checks what a path is. */
export async function validateInput(
  input: OpenedInput,
  { flags, environment, forms }: InputCall,
): Promise<InputValidation> {
  const { form } = input;
  const given = await readRequest(input, flags, environment);
  const request = withoutForeign(given.request, form, forms);
  const validated = await buildValidated({ ...given, request }, { form, flags, environment });
  const { ok, report, result, kubernetesVersion, diagnostics, sources, accepted } = validated;
  const findings = { diagnostics, sources, accepted, subjects: result === undefined ? [] : subjectsOf(result) };
  if (report !== undefined) {
    const news = report.findings.filter(({ diagnostic }) => isNews(diagnostic));
    const told = news.map(({ diagnostic }) => diagnostic);
    return { ...findings, diagnostics: told, summarise, report: { ...report, findings: news } };
  }
  const checkedCount = result?.isChecked === true ? result.rendering.objects.length : 0;
  const count = checkedCount === 1 ? '1 object' : `${checkedCount} objects`;
  return {
    ...findings,
    summarise(found) {
      const verdict = summarise(found, accepted);
      // What cannot be built is not checked against anything.
      if (checkedCount === 0 && !ok) return verdict;
      return `${count} checked against Kubernetes ${kubernetesVersion}: ${verdict === '' ? 'nothing found' : verdict}`;
    },
  };
}

/** The report lists the patches that others require, and nothing is printed that could be applied. */
function isNews({ code }: Diagnostic): boolean {
  return code !== 'patch-required' && code !== 'definition-in-stream';
}

/** A request without the settings that are for another input of the command. */
function withoutForeign(request: BuildRequest, form: Form, forms: readonly Form[]): BuildRequest {
  const isForeign = (group: Form['settings'][number]): boolean =>
    !form.settings.includes(group) && forms.some(({ settings }) => settings.includes(group));
  return {
    ...request,
    ...(isForeign('chart') ? { chart: undefined } : {}),
    ...(isForeign('kustomization') ? { kustomization: undefined } : {}),
    ...(isForeign('network') ? { allowNetwork: undefined } : {}),
    ...(isForeign('application') ? { application: undefined } : {}),
    ...(isForeign('package')
      ? { package: { ...request.package, local: undefined, force: undefined, maxDepth: undefined } }
      : {}),
  };
}

function subjectsOf({ isChecked, rendering }: BuildResult): readonly CheckedSubject[] {
  const { origins } = rendering.provenance;
  return (isChecked ? rendering.objects : []).map((object) => {
    const origin = origins.get(object);
    const text = origin?.text;
    const name = describeObject(object);
    if (text === undefined) return { name, file: origin?.file ?? origin?.source ?? 'kurel' };
    return { name, file: text.source.path, document: text.document };
  });
}
