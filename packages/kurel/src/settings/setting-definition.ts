/** One setting: what its value is, and how each caller spells it. */
export interface SettingDefinition {
  readonly type: 'switch' | 'text' | 'list';
  /** The flag, without dashes. */
  readonly flag: string;
  /** The letter of the flag. */
  readonly short?: string;
  /** The value in help: `FILE`, `KEY=VALUE`. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** Source of completions for the value: files, or parts of the package on the command line. */
  readonly completes?: 'path' | CompletionSource;
  /** Section of the help if a command has many flags; common flags have none and come first. */
  readonly section?: SettingSection;
  readonly summary: string;
  /** The key in a fleet file, and in the `spec` of a KurelBuild if `inFunction`; a dot separates a key of an object. */
  readonly key?: string;
  /** What the key means there; defaults to the summary. */
  readonly description?: string;
  /** Whether YAML may read the value as a number or boolean. */
  readonly isScalar?: true;
  readonly inFunction?: 'build' | 'check';
  /** The variable of the Argo CD plugin. */
  readonly variable?: string;
}

type SettingSection =
  | 'input'
  | 'select'
  | 'change'
  | 'validation'
  | 'output'
  | 'application'
  | 'package'
  | 'program'
  | 'layout'
  | 'limit';

export type CompletionSource =
  | 'parameter'
  | 'patch'
  | 'kind'
  | 'name'
  | 'object'
  | 'field'
  | 'subject'
  | 'target'
  | 'topic'
  | 'code';

/** The value of a setting or flag: a switch is a boolean, a list has strings, and a text may be absent. */
export type SettingValue<Definition extends Pick<SettingDefinition, 'type' | 'choices'>> =
  Definition['type'] extends 'switch'
    ? boolean
    : Definition['type'] extends 'list'
      ? readonly string[]
      : (Definition extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | undefined;

/** The names of those settings or flags that have a value. */
export function listSet<Name extends string>(
  values: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): readonly Name[] {
  return names.filter((name) => {
    const value = values[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}
