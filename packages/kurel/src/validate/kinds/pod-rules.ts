import { checkDnsLabel, checkDnsSubdomain, checkLabelKey, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { isIp, missingField } from '../../schema/index.ts';
import { checkOverhead } from './check-resources.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { escapesRoot } from './kind-check.ts';
import { objectName } from './reference-rules.ts';
import { affinity, checkSpreadConstraints, spreadConstraint } from './scheduling-rules.ts';
import { labels } from './selector-rules.ts';
import { podVolume } from './volume-rules.ts';

function explainAddress(text: string): string | undefined {
  return isIp(text) ? undefined : 'must be an IP address';
}

/** `svc.cluster.local`, `_tcp.example.com.`, or `.` for the root. */
function explainSearch(text: string): string | undefined {
  if (text === '.') return undefined;
  const name = text.replace(/\.$/, '');
  return /^[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*$/.test(name)
    ? undefined
    : (checkDnsSubdomain(name) ?? 'must be a domain name');
}

const sysctlName = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

function explainSysctl(text: string): string | undefined {
  return text.length <= 253 && sysctlName.test(text)
    ? undefined
    : 'must be the name of a sysctl, for example net.core.somaxconn';
}

/** The rules of the API server for pods, without their containers. */
export const podRules: FieldRule = {
  fields: {
    serviceAccountName: objectName,
    serviceAccount: objectName,
    priorityClassName: objectName,
    runtimeClassName: { text: checkDnsSubdomain, emptyIsValue: true },
    hostname: { text: checkDnsLabel },
    subdomain: { text: checkDnsLabel },
    nodeName: objectName,
    nodeSelector: labels,
    activeDeadlineSeconds: { range: { least: 1, most: 2 ** 31 - 1, isLong: true } },
    preemptionPolicy: { words: ['PreemptLowerPriority', 'Never'], emptyIsValue: true },
    os: { fields: { name: { required: 'linux or windows', words: ['linux', 'windows'] } } },
    volumes: { items: podVolume, unique: 'name' },
    overhead: {
      also: ({ value: amounts, path, ...check }) => {
        if (isJsonObject(amounts)) checkOverhead(check, amounts, path);
      },
    },
    hostAliases: {
      items: {
        fields: {
          ip: { required: 'an IP address', format: explainAddress },
          hostnames: { items: { text: checkDnsSubdomain, emptyIsValue: true } },
        },
      },
    },
    readinessGates: {
      items: { fields: { conditionType: { required: 'the type of a condition', text: checkLabelKey } } },
    },
    schedulingGates: { items: { fields: { name: { required: 'a name', text: checkLabelKey } } }, unique: 'name' },
    dnsConfig: {
      fields: {
        nameservers: { most: 3, items: { format: explainAddress, emptyIsValue: true } },
        searches: { most: 32, items: { format: explainSearch, emptyIsValue: true } },
        options: { items: { fields: { name: { required: 'the name of an option' } } } },
      },
    },
    securityContext: {
      fields: {
        fsGroupChangePolicy: { words: ['OnRootMismatch', 'Always'], emptyIsValue: true },
        supplementalGroupsPolicy: { words: ['Merge', 'Strict'], emptyIsValue: true },
        sysctls: { unique: 'name', items: { fields: { name: { required: 'a name', text: explainSysctl } } } },
      },
    },
    affinity,
    topologySpreadConstraints: { items: spreadConstraint, also: checkSpreadConstraints },
  },
  also: checkTogether,
};

/** Fields of a pod that depend on one another. */
function checkTogether({ value, path, object, findings }: FieldSite): void {
  const isHost = (name: string): boolean => has(value, name) && (value as Record<string, unknown>)[name] === true;
  const refuse = (field: string, demand: string): void =>
    findings.add(object, { path: [...path, field], at: 'key' }, ['field-enum', { field, demand }]);
  if (isHost('shareProcessNamespace') && isHost('hostPID'))
    refuse('shareProcessNamespace', 'may not be true when "hostPID" is true');
  if (textAt(value, 'dnsPolicy') === 'None' && listAt(mappingAt(value, 'dnsConfig'), 'nameservers').length === 0) {
    const args = missingField({
      name: 'nameservers',
      holder: 'dnsConfig',
      expected: 'required when dnsPolicy is None',
    });
    findings.add(object, { path: [...path, 'dnsConfig', 'nameservers'] }, ['field-required', args]);
  }
  if ((value as Record<string, unknown>)['hostUsers'] === false) {
    for (const name of ['hostPID', 'hostIPC'])
      if (isHost(name)) refuse(name, 'may not be true when "hostUsers" is false');
  }
}

/** A path inside a volume. */
function explainSubPath(path: string): string | undefined {
  if (path.startsWith('/')) return 'must be a relative path';
  return escapesRoot(path) ? 'must not contain ".."' : undefined;
}

/** The rules of the API server for single fields of containers. */
export const containerRules: FieldRule = {
  fields: {
    name: { required: 'a name' },
    terminationMessagePolicy: { words: ['File', 'FallbackToLogsOnError'] },
    volumeMounts: {
      unique: 'mountPath',
      items: {
        fields: {
          name: { required: 'the name of a volume' },
          mountPath: { required: 'a path in the container' },
          subPath: { format: explainSubPath },
          subPathExpr: { format: explainSubPath },
          mountPropagation: { words: ['None', 'HostToContainer', 'Bidirectional'], emptyIsValue: true },
        },
      },
    },
    volumeDevices: {
      unique: 'name',
      items: {
        fields: {
          name: { required: 'the name of a volume' },
          devicePath: {
            required: 'a path in the container',
            format: (path) => (escapesRoot(path) ? 'must not contain ".."' : undefined),
          },
        },
      },
    },
    resizePolicy: {
      unique: 'resourceName',
      items: {
        fields: {
          resourceName: { required: 'cpu or memory', words: ['cpu', 'memory'] },
          restartPolicy: { required: 'NotRequired or RestartContainer', words: ['NotRequired', 'RestartContainer'] },
        },
      },
    },
  },
};
