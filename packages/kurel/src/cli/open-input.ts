import type { PublishedForm } from '../artifact/index.ts';
import { detectInput, forms } from '../index.ts';
import type { Form, PackageForm } from '../index.ts';
import type { FileSystem } from '../model/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-world.ts';

/** The input of a command and its form. */
export interface OpenedInput {
  readonly form: Form;
  /** For a file that marks its directory as a package, such as `Chart.yaml`, the directory. */
  readonly path: string;
  /** The name of the form. If it cannot be detected, which the build reports, the value of `--as`. */
  readonly as: string | undefined;
}

export interface FormOfPackages extends Form {
  readonly package: PackageForm;
}

export function isPackage(form: Form): form is FormOfPackages {
  return form.package !== undefined;
}

/** The form of an artifact, which is one of `publishedForms`. */
export function formNamed(name: string, environment: Environment): FormOfPackages {
  return formsOf(environment)
    .filter(isPackage)
    .find((form) => form.name === name)!;
}

/** The forms of packages, as registries name them. */
export function publishedForms(environment: Environment): readonly PublishedForm[] {
  return formsOf(environment).filter(isPackage).map(publishedForm);
}

export function publishedForm({ name, package: { noun, documents, requires } }: FormOfPackages): PublishedForm {
  return { name, noun, documents, requires };
}

export function formsOf({ forms: choices = forms }: Environment): readonly Form[] {
  return choices;
}

/** Detects the form of a path, which decides how settings are read. The build gets its name, and so does not detect it again. */
export async function openInput(
  path: string,
  { as, profile, noProfile }: Partial<Pick<BuildSettings, 'as' | 'profile' | 'noProfile'>>,
  environment: Environment,
  fileSystem: FileSystem = openDisk(environment),
): Promise<OpenedInput> {
  const choices = formsOf(environment);
  try {
    const isForApplications = profile !== undefined || noProfile === true;
    const { form, path: directory } = await detectInput({ fileSystem, path, as, forms: choices, isForApplications });
    return { form, path: directory, as: form.name };
  } catch {
    // The build fails in the same way, and reports it together with other findings. Until then, the settings are read as for manifests.
    return { form: choices.at(-1)!, path, as };
  }
}
