import { nearest, quote } from '../diagnostics/index.ts';
import { createCatalog, describeType, fieldAt, findKinds } from '../index.ts';
import type { DescribedType, MissingField, SchemaStore } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { fieldToJson, formatField } from './format-field.ts';
import type { ShownField } from './format-field.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { findGiven } from './find-given.ts';
import { ofPatchPackages } from './schema-flags.ts';
import { readingWidth } from './terminal-width.ts';
import { UsageError } from './usage-error.ts';

export async function runSchema({ positionals, flags, environment }: CommandCall<SchemaFlags>): Promise<ExitCode> {
  checkShowUsage(flags);
  const crds = await readDefinitions(flags.crds, environment);
  if (crds.diagnostics.length > 0) await printDiagnostics(crds, { format: 'text', color: flags.color }, environment);
  if (!crds.ok) return 1;
  const store = createStore(flags['kubernetes-version'], true).with(crds.definitions, crds.sourceOf);
  const question = splitQuestion(positionals[1]!);
  const shown = chooseField(store, question);
  const options = { recursive: flags.recursive, width: readingWidth(environment) };
  environment.writeStdout(flags.format === 'json' ? fieldToJson(shown) : formatField(shown, options));
  return 0;
}

export function checkShowUsage(flags: CommandCall<SchemaFlags>['flags']): void {
  const stranger = findGiven(flags, ['output', ...ofPatchPackages]);
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is for kurel schema generate`,
    'kurel schema show prints what is known about a kind',
  );
}

interface Question {
  readonly kindText: string;
  readonly steps: readonly string[];
}

/** `apps/v1/Deployment.spec.replicas` → a kind and steps; groups have dots too, so the kind begins behind the last slash. */
function splitQuestion(text: string): Question {
  const start = text.lastIndexOf('/') + 1;
  const [kind = '', ...steps] = text.slice(start).split('.');
  return { kindText: text.slice(0, start) + kind, steps: steps.map((step) => step.replace(/\[.*\]$/, '')) };
}

/**
 * A word such as `cronjob` may be a type of the catalog and a kind that is spelt with capitals: the exact spelling is meant, unless
 * only the other one has the field.
 */
function chooseField(store: SchemaStore, { kindText, steps }: Question): ShownField {
  const [gvk] = findKinds(store, kindText);
  const kind = gvk === undefined ? undefined : store.find(gvk);
  const type = describeType(kindText, { catalog: createCatalog(), store });
  const subjects = [
    ...(type === undefined ? [] : showType(type, kind?.gvk.kind)),
    ...(kind === undefined ? [] : [{ subject: kind, schema: kind.schema }]),
  ];
  if (subjects.length === 0) throw unknownKind(store, kindText);
  let furthest: MissingField | undefined;
  for (const { subject, schema } of subjects) {
    const field = fieldAt({ schema }, steps);
    if ('found' in field) {
      return { subject, path: steps.join('.'), node: field.found, required: steps.length > 0 && field.required };
    }
    if (furthest === undefined || field.missing > furthest.missing) furthest = field;
  }
  throw unknownField({ kindText, steps }, furthest!);
}

/** What the author writes comes before what the platform says. */
function showType(type: DescribedType, namesake: string | undefined) {
  const author = { subject: { ...type, writer: 'author' as const, namesake }, schema: type.properties };
  if (type.rendering === undefined) return [author];
  return [author, { subject: { ...type, writer: 'platform' as const, namesake }, schema: type.rendering }];
}

function unknownKind(store: SchemaStore, text: string): UsageError {
  const { components, traits, policies } = createCatalog();
  const near = nearest(text.slice(text.lastIndexOf('/') + 1), [
    ...components.keys(),
    ...traits.keys(),
    ...policies.keys(),
    ...store.kinds().map(({ kind }) => kind),
  ]);
  return new UsageError(
    `${quote(text)} is no component or trait, and no kind in Kubernetes ${store.kubernetesVersion} or in the CRDs that are known`,
    near === undefined ? 'give its CustomResourceDefinition with --crds' : `did you mean ${near}?`,
  );
}

function unknownField({ kindText, steps }: Question, { missing, near }: MissingField): UsageError {
  const holder = quote(missing === 0 ? kindText : steps.slice(0, missing).join('.'));
  return new UsageError(
    `${holder} has no field ${quote(steps[missing]!)}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}
