import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  has,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { quote } from '../../diagnostics/index.ts';
import { checkTolerations } from './check-tolerations.ts';
import { checkOverhead } from './check-resources.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { calledService } from './reference-rules.ts';
import { labels } from './selector-rules.ts';

export const runtimeClass: FieldRule = {
  fields: {
    handler: { required: 'the name of a runtime handler on the nodes', text: checkDnsLabel },
    overhead: {
      fields: {
        podFixed: {
          also: ({ value, path, ...check }) => {
            if (isJsonObject(value)) checkOverhead(check, value, path);
          },
        },
      },
    },
    scheduling: {
      fields: {
        nodeSelector: labels,
        tolerations: { also: ({ value, path, ...check }) => checkTolerations(check, value, path, true) },
      },
    },
  },
};

const podSpec: FieldRule = { required: 'an object with "containers"', fields: { containers: { required: 'a list' } } };

/** A Pod has a spec with containers; `check-pods.ts` checks the rest. */
export const podRoot: FieldRule = { fields: { spec: podSpec } };

/** A PodTemplate needs only containers. */
export const podTemplateRoot: FieldRule = {
  fields: { template: { required: 'an object with "spec"', fields: { spec: podSpec } } },
};

/** Higher priorities are reserved for Kubernetes. */
const systemPriority = 1_000_000_000;

export const priorityClass: FieldRule = {
  fields: { preemptionPolicy: { words: ['PreemptLowerPriority', 'Never'], emptyIsValue: true } },
  also: ({ value, object, findings }) => {
    const name = textAt(mappingAt(object, 'metadata'), 'name') ?? '';
    if (name.startsWith('system-') && name !== 'system-node-critical' && name !== 'system-cluster-critical') {
      const args = {
        what: 'name',
        text: name,
        reason: 'must not start with "system-", which is reserved for Kubernetes',
      };
      findings.add(object, { path: ['metadata', 'name'] }, ['name-invalid', args]);
      return;
    }
    const priority = isJsonObject(value) ? value['value'] : undefined;
    if (typeof priority !== 'number' || priority <= systemPriority || name.startsWith('system-')) return;
    const args = { field: 'value', demand: `must be at most ${systemPriority}`, found: String(priority) };
    findings.add(object, { path: ['value'] }, ['field-range', args]);
  },
};

/** Times of leases always have six decimal places. */
const microTime: FieldRule = {
  format: (text) =>
    /T\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/.test(text)
      ? undefined
      : 'must be a time with microseconds, for example 2006-01-02T15:04:05.000000Z',
};

export const lease: FieldRule = {
  fields: {
    spec: {
      fields: {
        acquireTime: microTime,
        renewTime: microTime,
        leaseDurationSeconds: { range: { least: 1 } },
        leaseTransitions: { range: { least: 0 } },
      },
    },
  },
};

export const namespace: FieldRule = {
  fields: {
    spec: {
      fields: {
        finalizers: {
          items: {
            text: (name) =>
              checkLabelKey(name) ??
              (name.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(name)
                ? undefined
                : 'must be fully qualified, for example "example.com/cleanup"'),
            emptyIsValue: true,
          },
        },
      },
    },
  },
};

export const controllerRevision: FieldRule = {
  fields: { data: { required: 'an object', fields: {} }, revision: { range: { least: 0, isLong: true } } },
};

export const apiService: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        group: { text: checkDnsSubdomain },
        version: { required: 'for example v1', text: checkDns1035Label },
        groupPriorityMinimum: { required: 'a number', range: { least: 1, most: 20_000 } },
        versionPriority: { required: 'a number', range: { least: 1, most: 1000 } },
        service: {
          fields: {
            name: calledService.fields!['name']!,
            namespace: calledService.fields!['namespace']!,
            port: calledService.fields!['port']!,
          },
        },
      },
      also: checkApiService,
    },
  },
};

function checkApiService({ value, path, object, findings }: FieldSite): void {
  if (!isJsonObject(value)) return;
  const name = textAt(mappingAt(object, 'metadata'), 'name') ?? '';
  const [version, group] = [textAt(value, 'version') ?? '', textAt(value, 'group') ?? ''];
  if (textAt(mappingAt(object, 'metadata'), 'generateName')) {
    const args = {
      field: 'generateName',
      demand: 'may not be set: an APIService is named VERSION.GROUP',
    };
    findings.add(object, { path: ['metadata', 'generateName'], at: 'key' }, ['field-enum', args]);
  }
  if (name !== '' && version !== '' && name !== `${version}.${group}`) {
    const reason = `must be ${quote(`${version}.${group}`)} (spec.version and spec.group)`;
    findings.add(object, { path: ['metadata', 'name'] }, ['name-invalid', { what: 'name', text: name, reason }]);
  }
  if (group === '' && version !== 'v1') {
    const args = { field: 'group', demand: 'must not be empty', found: 'none' };
    findings.add(object, { path: [...path, 'group'] }, ['field-format', args]);
  }
  const refuse = (field: string, demand: string): void =>
    findings.add(object, { path: [...path, field], at: 'key' }, ['field-enum', { field, demand }]);
  const isInsecure = value['insecureSkipTLSVerify'] === true;
  const hasBundle = Boolean(textAt(value, 'caBundle'));
  if (!has(value, 'service')) {
    if (hasBundle) refuse('caBundle', 'may only be set when "service" is set');
    if (isInsecure) refuse('insecureSkipTLSVerify', 'may only be true when "service" is set');
  } else if (isInsecure && hasBundle) refuse('insecureSkipTLSVerify', 'may not be true when "caBundle" is set');
}
