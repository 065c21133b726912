import type { Diagnostic } from '../../model/index.ts';
import type { ApplicationPackage } from './application-package.ts';
import { listAt, valueAt } from './documents/value-at.ts';
import type { ResolvedApplication } from './resolve-application.ts';

/** Findings in a component of app.yaml are about that component, by which they can be accepted: `component/web`. */
export function nameComponent(
  diagnostic: Diagnostic,
  { authored }: ResolvedApplication,
  { application }: ApplicationPackage,
): Diagnostic {
  const { location, object } = diagnostic;
  const [spec, components, index] = location?.path ?? [];
  const isInComponent = location?.file === application.path && spec === 'spec' && components === 'components';
  if (object !== undefined || !isInComponent || typeof index !== 'number') return diagnostic;
  const component = listAt(authored.data, ['spec', 'components'])?.[index];
  const name = component === undefined ? undefined : valueAt(component, ['name']);
  if (typeof name !== 'string') return diagnostic;
  return { ...diagnostic, object: { group: '', kind: 'Component', namespace: '', name } };
}
