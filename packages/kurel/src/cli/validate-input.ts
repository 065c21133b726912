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
import { checkLine, reportOfPackage } from './report/format-report.ts';
import type { Report } from './report/format-report.ts';
import type { PackageReport } from './report/package-report.ts';
import type { validationFlags } from './validation-flags.ts';

/** The findings about one input. */
export interface InputValidation extends Findings {
  /** Checked objects, for reports that list them. */
  readonly subjects: readonly CheckedSubject[];
  /** The report for people; `shown` are the findings without values of Secrets. */
  readonly describe: (shown: readonly Diagnostic[], verbose: boolean) => Report;
  /** For patch packages only. */
  readonly report?: PackageReport | undefined;
}

export interface InputCall {
  readonly flags: FlagValues<InputFlags & typeof validationFlags>;
  readonly environment: Environment;
  /** Forms of all inputs of the command. */
  readonly forms: readonly Form[];
}

/** Builds and validates one input. */
export async function validateInput(
  input: OpenedInput,
  { flags, environment, forms }: InputCall,
): Promise<InputValidation> {
  const { form } = input;
  const given = await readRequest(input, flags, environment);
  const request = withoutForeign(given.request, form, forms);
  const validated = await buildValidated({ ...given, request }, { form, flags, environment });
  const { ok, report, result, kubernetesVersion, sources, accepted } = validated;
  const diagnostics = validated.diagnostics.filter((diagnostic) => !isAboutStream(diagnostic));
  const findings = { diagnostics, sources, accepted, subjects: result === undefined ? [] : subjectsOf(result) };
  if (report !== undefined) {
    // The report lists required patches itself.
    const news = report.findings.filter(
      ({ diagnostic }) => diagnostic.code !== 'patch-required' && !isAboutStream(diagnostic),
    );
    return {
      ...findings,
      diagnostics: news.map(({ diagnostic }) => diagnostic),
      report: { ...report, findings: news },
      describe: (shown, verbose) =>
        reportOfPackage(
          { ...report, findings: news.map(({ check }, index) => ({ check, diagnostic: shown[index]! })) },
          verbose,
        ),
    };
  }
  const objects = result?.isChecked === true ? result.rendering.objects : [];
  // Without objects, nothing was validated.
  const isBuilt = ok || objects.length > 0;
  const valid = `Manifests valid for Kubernetes ${kubernetesVersion}`;
  const invalid = isBuilt ? `Manifests not valid for Kubernetes ${kubernetesVersion}` : 'Build failed';
  const acceptedCount = accepted?.length ?? 0;
  return {
    ...findings,
    describe: (shown) => ({
      checks: [checkLine(valid, invalid, shown)],
      objects,
      diagnostics: shown,
      ...(acceptedCount === 0 ? {} : { note: `, ${acceptedCount} accepted` }),
    }),
  };
}

/** validate prints no stream that could be applied. */
function isAboutStream({ code }: Diagnostic): boolean {
  return code === 'definition-in-stream';
}

/** The request without settings for another input of the command. */
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
