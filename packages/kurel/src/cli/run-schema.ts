import { nearest, quote } from '../diagnostics/index.ts';
import { fieldAt, findKinds } from '../index.ts';
import type { KindSchema, SchemaStore } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { fieldToJson, formatField } from './format-field.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { UsageError } from './usage-error.ts';

export async function runSchema({ positionals, flags, environment }: CommandCall<SchemaFlags>): Promise<ExitCode> {
  checkUsage(flags);
  const crds = await readDefinitions(flags.crds, environment);
  if (crds.diagnostics.length > 0) await printDiagnostics(crds, { format: 'text', color: flags.color }, environment);
  if (!crds.ok) return 1;
  const store = createStore(flags['kubernetes-version'], true).with(crds.definitions, crds.sourceOf);
  const { kindText, steps } = splitQuestion(positionals[1]!);
  const kind = chooseKind(store, kindText);
  const field = fieldAt(kind, steps);
  if (!('found' in field)) throw unknownField(steps, field);
  const shown = { kind, path: steps.join('.'), node: field.found, required: steps.length > 0 && field.required };
  environment.writeStdout(flags.format === 'json' ? fieldToJson(shown) : formatField(shown, flags.recursive));
  return 0;
}

const ofGenerate = [
  'output',
  'write',
  'no-cache',
  'values',
  'set',
  'set-string',
  'local',
  'no-local',
  'enable',
  'max-depth',
] as const;

function checkUsage(flags: CommandCall<SchemaFlags>['flags']): void {
  const stranger = ofGenerate.find((name) => {
    const value = flags[name];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is for kurel schema generate`,
    'kurel schema show prints what is known about a kind',
  );
}

/** `apps/v1/Deployment.spec.replicas` → a kind and steps; groups have dots too, so the kind begins behind the last slash. */
function splitQuestion(text: string): { readonly kindText: string; readonly steps: readonly string[] } {
  const start = text.lastIndexOf('/') + 1;
  const [kind = '', ...steps] = text.slice(start).split('.');
  return { kindText: text.slice(0, start) + kind, steps: steps.map((step) => step.replace(/\[.*\]$/, '')) };
}

function chooseKind(store: SchemaStore, text: string): KindSchema {
  const [first] = findKinds(store, text);
  if (first !== undefined) return store.find(first)!;
  const near = nearest(
    text.slice(text.lastIndexOf('/') + 1),
    store.kinds().map(({ kind }) => kind),
  );
  throw new UsageError(
    `there is no kind ${quote(text)} in Kubernetes ${store.kubernetesVersion} or in the CRDs that are known`,
    near === undefined ? 'give its CustomResourceDefinition with --crds' : `did you mean ${near}?`,
  );
}

function unknownField(steps: readonly string[], { missing, near }: { missing: number; near?: string }): UsageError {
  const holder = missing === 0 ? 'the kind' : quote(steps.slice(0, missing).join('.'));
  return new UsageError(
    `${holder} has no field ${quote(steps[missing]!)}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}
