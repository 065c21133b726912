import { quote } from '../../diagnostics/index.ts';
import { has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { ContainerSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { demandField, refuse, report } from './field-site.ts';
import type { FieldSite, Site } from './field-site.ts';
import { escapesRoot } from './reference-rules.ts';

const identity: FieldRule = { range: { least: 0, most: 2 ** 31 - 1, isLong: true } };
const profile: FieldRule = { also: checkProfile };

const settings: Fields = {
  runAsUser: identity,
  runAsGroup: identity,
  fsGroup: identity,
  seccompProfile: profile,
  appArmorProfile: profile,
};

const sysctlName = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

function explainSysctl(text: string): string | undefined {
  return text.length <= 253 && sysctlName.test(text)
    ? undefined
    : 'must be the name of a sysctl, for example net.core.somaxconn';
}

/** The security settings of a pod for all its containers. */
export const podSecurity: FieldRule = {
  fields: {
    ...settings,
    supplementalGroups: { items: identity },
    sysctls: { unique: 'name', items: { fields: { name: { required: 'a name', text: explainSysctl } } } },
  },
};

export const containerSecurity: FieldRule = { fields: settings, also: checkContainerSecurity };

function checkContainerSecurity(site: FieldSite): void {
  const { value: context, minor, pod } = site;
  if (!isJsonObject(context)) return;
  if (context['allowPrivilegeEscalation'] === false) {
    const field = 'allowPrivilegeEscalation';
    const added = listAt(mappingAt(context, 'capabilities'), 'add');
    const refuseIn = (where: string): void =>
      refuse(site, [field], { demand: `must be true in ${where}`, got: 'false' });
    if (context['privileged'] === true) refuseIn('a privileged container');
    // The API server looks only for CAP_SYS_ADMIN, but runtimes call the capability SYS_ADMIN.
    if (added.includes('CAP_SYS_ADMIN')) refuseIn('a container with CAP_SYS_ADMIN');
    if (added.includes('SYS_ADMIN'))
      warn(site, field, `${field} is false, but capability SYS_ADMIN is almost as powerful as root`);
  }
  // Before 1.33 the API server drops the field unread.
  if (minor >= 33 && context['procMount'] === 'Unmasked' && pod?.spec['hostUsers'] !== false)
    refuse(site, ['procMount'], { demand: 'must be Default unless "hostUsers" of the pod is false', got: 'Unmasked' });
}

/** Reports a setting that the API server accepts, but that does not work as written. */
export function warn(site: FieldSite, field: string, sentence: string): void {
  report(site, [field], ['setting-risky', { sentence }]);
}

/** Containers that must run as root and must not. The API server accepts them, but no node runs them. */
export function checkRoots(site: Site, spec: JsonObject, containers: readonly ContainerSite[]): void {
  const ofPod = mappingAt(spec, 'securityContext') ?? {};
  const places = containers.flatMap(({ container, list, index }): Path[] => {
    const own = mappingAt(container, 'securityContext') ?? {};
    const isOwn = has(own, 'runAsUser');
    const user = (isOwn ? own : ofPod)['runAsUser'];
    const nonRoot = (has(own, 'runAsNonRoot') ? own : ofPod)['runAsNonRoot'];
    return user === 0 && nonRoot === true ? [isOwn ? [list, index] : []] : [];
  });
  const sentence = '"runAsUser" is 0 although "runAsNonRoot" is true, so the container cannot start';
  const advice = 'set another user, or remove one of them';
  // A setting of the pod is reported once, even if several containers inherit it.
  for (const place of places.filter((path, index) => path.length > 0 || places.findIndex(isOfPod) === index))
    report(site, [...place, 'securityContext', 'runAsUser'], ['setting-contradictory', { sentence, advice }]);
}

function isOfPod(path: Path): boolean {
  return path.length === 0;
}

// PATH_MAX without the byte that ends it.
const longestName = 4095;

function checkProfile(site: FieldSite): void {
  const holder = site.path.at(-1);
  const isAppArmor = holder === 'appArmorProfile';
  const [type, local] = [textAt(site.value, 'type'), textAt(site.value, 'localhostProfile')];
  if (type === 'Localhost' && (!has(site.value, 'localhostProfile') || (isAppArmor && local === ''))) {
    const expected = isAppArmor ? 'the name of a profile on the node' : 'the path of a profile on the node';
    demandField(site, ['localhostProfile'], { holder: `${holder} of type Localhost`, expected });
  } else if (local !== undefined) {
    const demand = explainProfile(local, type, isAppArmor);
    if (demand !== undefined) refuse(site, ['localhostProfile'], { code: 'field-format', demand, got: quote(local) });
  }
}

function explainProfile(local: string, type: string | undefined, isAppArmor: boolean): string | undefined {
  if (type === 'RuntimeDefault' || type === 'Unconfined') return `may not be set when type is ${type}`;
  if (type !== 'Localhost') return undefined;
  if (!isAppArmor)
    return local.startsWith('/') || escapesRoot(local) ? 'must be a relative path without ".."' : undefined;
  if (local.trim() !== local) return 'must not have leading or trailing whitespace';
  return new TextEncoder().encode(local).length > longestName ? `must have at most ${longestName} bytes` : undefined;
}
