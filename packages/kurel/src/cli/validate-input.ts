import { quote } from '../diagnostics/index.ts';
import type { CheckedSubject } from '../diagnostics/index.ts';
import { describeObject } from '../index.ts';
import type { BuildRequest, BuildResult, Form } from '../index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../model/index.ts';
import { ifReadable } from '../reads/index.ts';
import { buildValidated } from './build-validated.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import type { OpenedInput } from './open-input.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { withArticle } from './problems.ts';
import { readRequest } from './read-request.ts';
import { checkLine, isAboutAcceptance, reservationOf } from './report/format-report.ts';
import type { Report } from './report/format-report.ts';
import type { PackageReport } from './report/package-report.ts';
import { refuseOtherFlags } from './usage-error.ts';

export interface InputValidation extends SourcedFindings {
  /** Checked objects, for reports that list them. */
  readonly subjects: readonly CheckedSubject[];
  /** The report for people; `shown` are the findings of this validation without values of Secrets. */
  readonly describe: (shown: readonly Diagnostic[], verbose: boolean) => Report;
  /** For patch packages only. */
  readonly report?: PackageReport | undefined;
}

interface InputCall {
  readonly settings: BuildSettings;
  readonly environment: Environment;
  /** Forms of all inputs of the command. */
  readonly forms: readonly Form[];
}

export async function validateInput(
  input: OpenedInput,
  { settings, environment, forms }: InputCall,
): Promise<InputValidation> {
  const { form } = input;
  const reading = await readRequest(input, settings, environment);
  const request = withoutForeign(reading.request, form, forms);
  const validated = await buildValidated({ ...reading, request }, { form, settings, environment });
  const { exitCode, result, kubernetesVersion, sources, accepted } = validated;
  const subjects = result === undefined ? [] : subjectsOf(result);
  if (form.hasParameterSchema === true) {
    // Loaded on demand: it needs the code of patch packages.
    const { packageReportOf, reportOfPackage, sortByCheck } = await import('./report/package-report.ts');
    const report = packageReportOf(result);
    const diagnostics = sortByCheck(report, validated.diagnostics.filter(isReported));
    const describe = (shown: readonly Diagnostic[], verbose: boolean): Report =>
      reportOfPackage(report, shown, verbose);
    return { diagnostics, sources, accepted, subjects, report, describe };
  }
  const objects = result?.isChecked === true ? result.rendering.objects : [];
  // Without objects, nothing was validated.
  const isBuilt = exitCode === 0 || objects.length > 0;
  const unchecked = result?.withoutSchema;
  const wording = {
    passed: `Manifests valid for Kubernetes ${kubernetesVersion}${reservationOf(unchecked)}`,
    topic: isBuilt ? `Manifests for Kubernetes ${kubernetesVersion}` : 'Build failed',
  };
  const files = new Set(subjects.map(({ file }) => file));
  const isAboutInput = (finding: Diagnostic): boolean => !isAboutAcceptance(finding, files);
  const acceptedCount = accepted?.length ?? 0;
  return {
    diagnostics: validated.diagnostics.filter(isReported),
    sources,
    accepted,
    subjects,
    describe: (shown) => ({
      checks: [checkLine(wording, isBuilt ? shown.filter(isAboutInput) : shown)],
      objects,
      unchecked,
      diagnostics: shown,
      ...(acceptedCount === 0 ? {} : { note: `, ${acceptedCount} accepted` }),
    }),
  };
}

/** validate prints no stream that could be applied, and its report lists required patches. */
function isReported({ code }: Diagnostic): boolean {
  return code !== 'definition-in-stream' && code !== 'patch-required';
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

export interface DocumentValidation extends InputValidation {
  readonly kind: string;
}

/** A document that may be validated by itself. The build reports why a file cannot be read. */
export async function readOwnDocument(path: string, fileSystem: FileSystem): Promise<SourceFile | undefined> {
  if (path === '-') return undefined;
  const text = await ifReadable(
    async () => ((await fileSystem.kindOf(path)) === 'file' ? await fileSystem.readText(path) : undefined),
    undefined,
  );
  if (text === undefined) return undefined;
  return isPatchFile(path) || text.includes('launcher.gokure.dev/') ? { path, text } : undefined;
}

export function isPatchFile(path: string): boolean {
  return path.endsWith('.kpatch');
}

export function checkDocumentUsage(
  flags: Readonly<Record<string, unknown>>,
  { path, kind }: { readonly path: string; readonly kind: string },
): void {
  const hint = `remove it: ${quote(path)} is ${withArticle(kind)}, which is validated by itself`;
  const used = ['capability-def', 'strict', 'max-file-size', 'max-fleet-steps', 'format', 'watch'];
  refuseOtherFlags(flags, used, { owner: 'builds', hint });
}
