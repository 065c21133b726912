import { quote } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { ApplicationPackage } from './application-package.ts';
import type { ResolvedApplication } from './resolve-application.ts';

/** Whatever the value is, the key is wrong; only a parameter that is the mapping around it has something to do with that. */
function isAboutKey({ code, location }: Diagnostic): boolean {
  return code === 'field-deprecated' || code === 'field-unknown' || (code === 'field-format' && location?.at === 'key');
}

/** What no value of the declared type could mend: the package is wrong, whoever gave the value. */
function isOfPackage(diagnostic: Diagnostic): boolean {
  return diagnostic.code === 'field-type' || isAboutKey(diagnostic);
}

/**
 * Whoever gave a value should see where, and not only where the package uses it. A value that is wrong is told in the file of values
 * that it stands in, which is the one that a team changes and reviews; what `--set` says is in no file, and is only noted.
 */
export function relateValues(
  diagnostic: Diagnostic,
  { givenAt, application: filled }: ResolvedApplication,
  { application }: ApplicationPackage,
): Diagnostic {
  const { location, related = [] } = diagnostic;
  if (location?.path === undefined || location.file !== application.path) return diagnostic;
  const path = isAboutKey(diagnostic) ? location.path.slice(0, -1) : location.path;
  const given = givenAt(path).filter(({ from }) => from !== 'package');
  if (given.length === 0) return diagnostic;
  const [value] = given;
  if (value?.isInFile === true && !isOfPackage(diagnostic) && filled.isMixedAt?.(path) !== true) {
    const use = { message: `the parameter ${quote(value.name)} is used here`, location };
    return { ...diagnostic, location: value.location, related: [use, ...related] };
  }
  const notes = given.map(({ name, from, location: place }) => ({
    message: `the parameter ${quote(name)} ${from === 'default' ? 'has its default' : 'is given'} here`,
    location: place,
  }));
  return { ...diagnostic, related: [...related, ...notes] };
}
