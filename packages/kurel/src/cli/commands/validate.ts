import { posix } from 'node:path';

import type { Diagnostic } from '../../model/index.ts';
import { conclude } from '../build-validated.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { inputFlags, watchFlag } from '../input-flags.ts';
import { openInput } from '../open-input.ts';
import type { OpenedInput } from '../open-input.ts';
import { printValidation, printValidations } from '../print-validation.ts';
import type { NamedValidation } from '../print-validation.ts';
import { readStdinOnce } from '../read-stdin-once.ts';
import { runWatched } from '../run-watched.ts';
import { UsageError } from '../usage-error.ts';
import { checkDocumentUsage, validateDocument } from '../validate-document.ts';
import type { DocumentValidation } from '../validate-document.ts';
import { validateInput } from '../validate-input.ts';
import { validationFlags } from '../validation-flags.ts';

const flags = {
  ...inputFlags,
  ...validationFlags,
  ...watchFlag,
  verbose: {
    type: 'switch',
    short: 'v',
    section: 'package',
    summary: 'Patch package: list all checks that passed, and show notes.',
  },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif', 'junit'],
    section: 'output',
    summary: 'Output format: text (the default), json, sarif or junit.',
  },
} as const satisfies FlagDefinitions;

export type ValidateFlags = typeof flags;

export const validate = defineCommand({
  name: 'validate',
  summary: 'Validate a build, or a profile, policy or package file.',
  description:
    'Runs the checks of kurel build without writing anything, with the same flags. CustomResourceDefinitions come from the build, from ' +
    'schemas/crds in PATH, from --crds, and from the bundled ones. Several paths are validated one after the other; json, sarif and junit ' +
    'print one report for all of them. Exits 1 on errors; with --strict, warnings are errors. Notes never are.',
  arguments: [
    {
      name: 'PATH',
      summary: 'any input of kurel build, or a file with a ClusterProfile, Policy, CapabilityDefinition or Package',
      required: true,
      completes: 'path',
      inRegistry: 'content',
      repeats: true,
    },
  ],
  flags,
  examples: [
    { says: 'a directory of manifests', line: 'kurel validate deploy/' },
    { says: 'for a cluster with Kubernetes 1.33', line: 'kurel validate deploy/ --kubernetes-version 1.33' },
    { says: 'a patch package with production values', line: 'kurel validate shop.kurel --values production.yaml' },
    { says: 'an application package for one cluster', line: 'kurel validate shop --profile cluster.yaml' },
    { says: 'several directories and packages', line: 'kurel validate deploy/ shop.kurel' },
    { says: 'a profile by itself', line: 'kurel validate cluster.yaml' },
    { says: 'a report for CI', line: 'kurel validate deploy/ --format junit > report.xml' },
  ],
  async run(call) {
    if (!call.flags.watch) return runValidate(call);
    return runWatched(call, 'checked', runValidate);
  },
});

type Call = CommandCall<ValidateFlags>;

/** A path, opened, and the findings if it is a document. */
interface Input {
  readonly path: string;
  readonly opened: OpenedInput;
  readonly document: DocumentValidation | undefined;
}

/** Nothing is printed before everything is checked, so that wrong usage prints nothing else. */
async function runValidate({ positionals, flags, environment: given }: Call): Promise<ExitCode> {
  const environment = readStdinOnce(given);
  const inputs: Input[] = [];
  for (const path of listPaths(positionals)) inputs.push(await open(path, { positionals, flags, environment }));
  checkUsage(inputs, flags);
  const forms = inputs.flatMap(({ opened, document }) => (document === undefined ? [opened.form] : []));
  const validations: NamedValidation[] = [];
  for (const { path, opened, document } of inputs) {
    validations.push({ path, ...(document ?? (await validateInput(opened, { flags, environment, forms }))) });
  }
  const [first, ...more] = validations;
  if (more.length === 0) {
    await printValidation(first!, { flags, environment });
    return exitCodeOf(first!);
  }
  const built = validations.filter((_, index) => inputs[index]!.document === undefined);
  const own = dropUsedElsewhere(validations, built);
  await printValidations(own, { flags, environment });
  return own.map(exitCodeOf).reduce((worst, one) => (one > worst ? one : worst), 0);
}

/** A duplicate path is checked once. */
function listPaths(positionals: readonly string[]): readonly string[] {
  if (positionals.filter((path) => path === '-').length > 1) {
    throw new UsageError('stdin can be read only once', 'use - once');
  }
  const places = positionals.map(placeOf);
  return positionals.filter((_, index) => places.indexOf(places[index]!) === index);
}

function placeOf(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/+$/, '');
}

async function open(path: string, { flags, environment }: Call): Promise<Input> {
  const opened = await openInput(path, flags, environment);
  const mayBeDocument = opened.form.values === 'plain' && flags.as === undefined;
  const document = mayBeDocument ? await validateDocument(path, flags, environment) : undefined;
  return { path, opened, document };
}

function exitCodeOf({ diagnostics }: NamedValidation): ExitCode {
  const { ok, failure } = conclude(diagnostics);
  return ok ? 0 : failure;
}

/** Rejects flags that no input uses. */
function checkUsage(inputs: readonly Input[], flags: Call['flags']): void {
  const [first] = inputs;
  if (first?.document !== undefined && inputs.every(({ document }) => document !== undefined)) {
    return checkDocumentUsage(flags, { path: first.path, kind: first.document.kind });
  }
  if (inputs.some(({ opened }) => opened.form.hasParameterSchema === true)) return;
  const stranger = flags.schema === undefined ? (flags.verbose ? 'verbose' : undefined) : 'schema';
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is only for patch packages`,
    'remove it, or validate a directory with parameters.yaml',
  );
}

/** A flag without effect on one input is a finding only if no other input uses it. */
function dropUsedElsewhere(
  validations: readonly NamedValidation[],
  built: readonly NamedValidation[],
): readonly NamedValidation[] {
  const isKept = (diagnostic: Diagnostic): boolean => {
    const flag = unusedFlagOf(diagnostic);
    if (flag === undefined) return true;
    return built.every(({ diagnostics }) => diagnostics.some((one) => unusedFlagOf(one) === flag));
  };
  return validations.map((validation) => {
    const { report, diagnostics } = validation;
    const findings = report?.findings.filter(({ diagnostic }) => isKept(diagnostic)) ?? [];
    return { ...validation, diagnostics: diagnostics.filter(isKept), report: report && { ...report, findings } };
  });
}

/** Identifies the flag of a finding about a flag without effect. */
function unusedFlagOf({ code, message, location }: Diagnostic): string | undefined {
  if (code === 'input-takes-no-values') return code;
  // With a location, it is about a file of the input.
  return code === 'acceptance-unused' && location === undefined ? message : undefined;
}
