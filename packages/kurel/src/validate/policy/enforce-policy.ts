import { describeObject, gvkOf, objectNameOf, scopeOf } from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import type { Diagnostic, GroupVersionKind, KubeObject, Path, Report } from '../../model/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { checkAccess } from './check-access.ts';
import { checkObject, refuseUnidentified } from './check-objects.ts';
import { checkSources, findUnknownSources } from './check-sources.ts';
import { checkWorkloads } from './check-workloads.ts';
import type { Enforcing } from './enforcing.ts';
import { reportRenderedElsewhere } from './report-unchecked.ts';
import { isInForce } from './rules.ts';
import type { RuleLayer, Rules } from './rules.ts';

interface EnforceOptions {
  readonly rules: Pick<Rules, 'layers'>;
  /** How severe it is when something is denied only because there is no policy; an error unless said otherwise. */
  readonly unsaid?: 'error' | 'warning' | undefined;
  readonly scopeOf: (gvk: GroupVersionKind) => Scope | undefined;
  /** The path leads into the object. */
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Holds an object against the rules, whatever made it. */
export function enforcePolicy(object: KubeObject, options: EnforceOptions): void {
  const { unsaid = 'error', report } = options;
  const { layers } = options.rules;
  const seen = new Set<string>();
  const tell: Enforcing['tell'] = (diagnostic, path, rule) => {
    // A field may be found by its name and by the schema.
    const key = JSON.stringify([diagnostic.code, path]);
    if (seen.has(key)) return;
    seen.add(key);
    const location = rule?.layer.locate(rule.path);
    const related = location === undefined ? undefined : [{ message: 'the rule is here', location }];
    // An acceptance may name the object.
    const finding = { ...diagnostic, object: objectNameOf(object) };
    report(related === undefined ? finding : { ...finding, related }, path);
  };
  const enforcing = { object, subject: describeObject(object), layers, unsaid, tell };
  const gvk = gvkOf(object);
  if (isInForce(layers)) refuseUnidentified(enforcing, gvk);
  if (gvk !== undefined) {
    checkObject(enforcing, gvk, () => options.scopeOf(gvk));
    checkAccess(enforcing, gvk);
    checkSources(enforcing, gvk);
    reportRenderedElsewhere(enforcing);
  }
  checkWorkloads(enforcing, gvk ?? { group: object.apiVersion, kind: object.kind });
}

interface EnforceAllOptions {
  readonly layers: readonly RuleLayer[];
  /** Knows the scope of kinds that are not well known; nothing that comes from a package may be in it. */
  readonly store: () => SchemaStore | undefined;
  readonly report: Report;
}

/** Holds the objects of a build that is no application against the rules. */
export function enforcePolicies(objects: readonly KubeObject[], { layers, store, report }: EnforceAllOptions): void {
  const tell = (object: KubeObject, diagnostic: Diagnostic, path: Path): void =>
    report({ ...diagnostic, subject: { object, path } });
  const scopeOfKind = (gvk: GroupVersionKind): Scope | undefined => scopeOf(gvk, objects) ?? store()?.find(gvk)?.scope;
  for (const object of objects) {
    enforcePolicy(object, {
      rules: { layers },
      unsaid: 'warning',
      scopeOf: scopeOfKind,
      report: (diagnostic, path) => tell(object, diagnostic, path),
    });
  }
  for (const { object, path, diagnostic } of findUnknownSources(objects, layers)) tell(object, diagnostic, path);
}
