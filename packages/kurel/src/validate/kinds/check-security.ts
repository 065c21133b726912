import { quote } from '../../diagnostics/index.ts';
import { containerPath, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { missingField } from '../../schema/index.ts';
import { checkNumber, checkRange } from './read-amount.ts';
import { escapesRoot } from './kind-check.ts';
import type { KindCheck } from './kind-check.ts';

export function checkContainerSecurity(check: KindCheck, site: ContainerSite): void {
  const { object, findings } = check;
  const context = mappingAt(site.container, 'securityContext');
  if (context === undefined) return;
  const path = containerPath(site, 'securityContext');
  checkIdentities(check, context, path);
  checkProfiles(check, context, path);
  if (context['allowPrivilegeEscalation'] === false) checkEscalation(check, context, path);
  // The API server accepts this, but no node runs it.
  if (context['runAsNonRoot'] === true && context['runAsUser'] === 0) {
    findings.add(object, { path: [...path, 'runAsUser'] }, [
      'setting-risky',
      { sentence: '"runAsUser" is 0 although "runAsNonRoot" is true, so the container cannot start' },
    ]);
  }
  // Before 1.33 the API server drops the field unread.
  if (check.minor >= 33 && context['procMount'] === 'Unmasked' && site.pod.spec['hostUsers'] !== false) {
    findings.add(object, { path: [...path, 'procMount'] }, [
      'field-enum',
      { field: 'procMount', demand: 'must be Default unless "hostUsers" of the pod is false', found: 'Unmasked' },
    ]);
  }
}

/** The security settings of a pod for all its containers. */
export function checkPodSecurity(check: KindCheck, { spec, specPath }: PodSite): void {
  const context = mappingAt(spec, 'securityContext');
  if (context === undefined) return;
  const path = [...specPath, 'securityContext'];
  checkIdentities(check, context, path);
  checkProfiles(check, context, path);
  listAt(context, 'supplementalGroups').forEach((group, index) => {
    checkRange(check, group, { path: [...path, 'supplementalGroups', index], ...identities });
  });
}

const identities = { least: 0, most: 2 ** 31 - 1, isLong: true } as const;

function checkIdentities(check: KindCheck, context: JsonObject, path: Path): void {
  for (const name of ['runAsUser', 'runAsGroup', 'fsGroup']) checkNumber(check, context, { path, name, ...identities });
}

function checkEscalation({ object, findings }: KindCheck, context: JsonObject, path: Path): void {
  const field = 'allowPrivilegeEscalation';
  const added = listAt(mappingAt(context, 'capabilities'), 'add');
  const place = { path: [...path, 'allowPrivilegeEscalation'] };
  const refuse = (where: string): void =>
    findings.add(object, place, ['field-enum', { field, demand: `must be true in ${where}`, found: 'false' }]);
  if (context['privileged'] === true) refuse('a privileged container');
  // The API server looks only for CAP_SYS_ADMIN, but runtimes call the capability SYS_ADMIN.
  if (added.includes('CAP_SYS_ADMIN')) refuse('a container with CAP_SYS_ADMIN');
  if (added.includes('SYS_ADMIN')) {
    findings.add(object, place, [
      'setting-risky',
      { sentence: `${field} is false, but capability SYS_ADMIN is almost as powerful as root` },
    ]);
  }
}

function checkProfiles(check: KindCheck, context: JsonObject, path: Path): void {
  for (const name of ['seccompProfile', 'appArmorProfile'] as const) {
    const profile = mappingAt(context, name);
    if (profile !== undefined) checkProfile(check, profile, [...path, name]);
  }
}

// PATH_MAX without the byte that ends it.
const longestName = 4095;

function checkProfile({ object, findings }: KindCheck, profile: JsonObject, path: Path): void {
  const holder = path.at(-1);
  const [type, local] = [textAt(profile, 'type'), textAt(profile, 'localhostProfile')];
  const place = { path: [...path, 'localhostProfile'] };
  const refuse = (demand: string): void =>
    findings.add(object, place, ['field-format', { field: 'localhostProfile', demand, found: quote(local ?? '') }]);
  if (type === 'Localhost') {
    const isAppArmor = holder === 'appArmorProfile';
    if (!has(profile, 'localhostProfile') || (isAppArmor && local === '')) {
      const expected = isAppArmor ? 'the name of a profile on the node' : 'the path of a profile on the node';
      findings.add(object, place, [
        'field-required',
        missingField({ name: 'localhostProfile', holder: `${holder} of type Localhost`, expected }),
      ]);
    } else if (local === undefined) return;
    else if (!isAppArmor && (local.startsWith('/') || escapesRoot(local)))
      refuse('must be a relative path without ".."');
    else if (isAppArmor && local.trim() !== local) refuse('must not have leading or trailing whitespace');
    else if (isAppArmor && new TextEncoder().encode(local).length > longestName)
      refuse(`must have at most ${longestName} bytes`);
  } else if ((type === 'RuntimeDefault' || type === 'Unconfined') && local !== undefined)
    refuse(`may not be set when type is ${type}`);
}
