import { describe, expect, it } from 'vitest';
import { gvkOf, podSiteOf } from '../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import { findExcesses } from './check-level.ts';
import type { Level } from './check-level.ts';

function excesses(spec: JsonObject, level: Level): readonly string[] {
  const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
  const pod = podSiteOf(object, gvkOf(object)!)!;
  return findExcesses(pod, level).map(({ path, allowedBy }) => `${path.slice(1).join('.')} (${allowedBy})`);
}

const context = (securityContext: JsonObject): JsonObject => ({ containers: [{ name: 'web', securityContext }] });

describe('findExcesses', () => {
  it.each<[what: string, spec: JsonObject, found: readonly string[]]>([
    ['nothing', { containers: [{ name: 'web' }] }, []],
    [
      'host namespaces',
      { hostNetwork: true, hostPID: true, hostIPC: true },
      ['hostNetwork (privileged)', 'hostPID (privileged)', 'hostIPC (privileged)'],
    ],
    ['disabled settings', { hostNetwork: false, ...context({ privileged: false, procMount: 'Default' }) }, []],
    ['null settings', { hostNetwork: null, ...context({ privileged: null, seccompProfile: null }) }, []],
    ['a privileged container', context({ privileged: true }), ['containers.0.securityContext.privileged (privileged)']],
    ['another /proc', context({ procMount: 'Unmasked' }), ['containers.0.securityContext.procMount (privileged)']],
    [
      'profiles',
      context({ appArmorProfile: { type: 'Unconfined' }, seccompProfile: { type: 'Unconfined' } }),
      [
        'containers.0.securityContext.appArmorProfile.type (privileged)',
        'containers.0.securityContext.seccompProfile.type (privileged)',
      ],
    ],
    ['profiles that confine', context({ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } }), []],
    [
      'SELinux',
      { securityContext: { seLinuxOptions: { type: 'container_t', user: 'u', role: 'r', level: 's0' } } },
      ['securityContext.seLinuxOptions.user (privileged)', 'securityContext.seLinuxOptions.role (privileged)'],
    ],
    [
      'a Windows host process',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['securityContext.windowsOptions.hostProcess (privileged)'],
    ],
    [
      'sysctls',
      { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies' }, { name: 'kernel.msgmax' }] } },
      ['securityContext.sysctls.1.name (privileged)'],
    ],
    [
      'host ports',
      { initContainers: [{ ports: [{ hostPort: 0 }, { hostPort: 80 }] }] },
      ['initContainers.0.ports.1.hostPort (privileged)'],
    ],
    [
      'hosts of probes',
      {
        containers: [
          {
            readinessProbe: { tcpSocket: { host: '10.0.0.1' } },
            livenessProbe: { httpGet: { host: '' } },
            lifecycle: { preStop: { httpGet: { host: 'x' } } },
          },
        ],
      },
      [
        'containers.0.readinessProbe.tcpSocket.host (privileged)',
        'containers.0.lifecycle.preStop.httpGet.host (privileged)',
      ],
    ],
    [
      'capabilities',
      context({ capabilities: { add: ['NET_BIND_SERVICE', 'CHOWN', 'NET_ADMIN'] } }),
      [
        'containers.0.securityContext.capabilities.add.1 (baseline)',
        'containers.0.securityContext.capabilities.add.2 (privileged)',
      ],
    ],
    [
      'volumes',
      {
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', nfs: {} },
          { hostPath: { path: '/' }, name: 'c' },
          { name: 'd' },
        ],
      },
      ['volumes.1.nfs (baseline)', 'volumes.2.hostPath.path (privileged)'],
    ],
    [
      'root',
      { securityContext: { runAsNonRoot: false, runAsUser: 0 } },
      ['securityContext.runAsNonRoot (baseline)', 'securityContext.runAsUser (baseline)'],
    ],
    [
      'privilege escalation and a writable root file system',
      context({ allowPrivilegeEscalation: true, readOnlyRootFilesystem: false }),
      [
        'containers.0.securityContext.allowPrivilegeEscalation (baseline)',
        'containers.0.securityContext.readOnlyRootFilesystem (baseline)',
      ],
    ],
  ])('%s', (_, spec, found) => {
    expect(excesses(spec, 'restricted')).toEqual(found);
    expect(excesses(spec, 'baseline')).toEqual(found.filter((one) => one.endsWith('(privileged)')));
    expect(excesses(spec, 'privileged')).toEqual([]);
  });
});
