import { detectInput, forms } from '../index.ts';
import type { Form } from '../index.ts';
import type { FileSystem } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-world.ts';

/** What is to be built, and which form it is of. */
export interface OpenedInput {
  readonly form: Form;
  /** The directory, where a file was given that only marks what its directory is. */
  readonly path: string;
  /** The name of the form; `undefined` if it cannot be detected, which the build reports. */
  readonly as: string | undefined;
}

interface InputChoice {
  readonly as?: string | undefined;
  readonly profile?: string | undefined;
  readonly 'no-profile'?: boolean | undefined;
}

/** Looks at what a path is, once for the whole command. */
export async function openInput(
  path: string,
  flags: InputChoice,
  environment: Environment,
  fileSystem: FileSystem = openDisk(environment),
): Promise<OpenedInput> {
  const { as } = flags;
  const known = environment.forms ?? forms;
  try {
    const isForApplications = flags.profile !== undefined || flags['no-profile'] === true;
    const { form, path: directory } = await detectInput({ fileSystem, path, as, forms: known, isForApplications });
    return { form, path: directory, as: form.name };
  } catch {
    // The build runs into the same, and reports it with everything else.
    return { form: known.at(-1)!, path, as };
  }
}
