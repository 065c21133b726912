import { quote } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { ApplicationPackage } from './application-package.ts';
import type { ResolvedApplication } from './resolve-application.ts';

/** Whoever gave a value should see where, and not only where the package uses it. */
export function relateValues(
  diagnostic: Diagnostic,
  { givenAt }: ResolvedApplication,
  { application }: ApplicationPackage,
): Diagnostic {
  const { location, related = [] } = diagnostic;
  if (location?.path === undefined || location.file !== application.path) return diagnostic;
  const given = givenAt(location.path).filter(({ from }) => from !== 'package');
  if (given.length === 0) return diagnostic;
  const notes = given.map(({ name, from, location: place }) => ({
    message: `the parameter ${quote(name)} ${from === 'default' ? 'has its default' : 'is given'} here`,
    location: place,
  }));
  return { ...diagnostic, related: [...related, ...notes] };
}
