import type { PublishedForm } from '../src/artifact/index.ts';
import { forms } from '../src/forms/index.ts';

/** The forms of packages in the table of forms. */
export const publishedForms: readonly PublishedForm[] = forms.flatMap(({ name, package: form }) =>
  form === undefined ? [] : [{ ...form, name }],
);

export function publishedForm(name: string): PublishedForm {
  return publishedForms.find((form) => form.name === name)!;
}
