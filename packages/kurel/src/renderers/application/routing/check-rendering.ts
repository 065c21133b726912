import { has, textAt } from '../../../kube/index.ts';
import type { JsonObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { exposeProblems } from './expose-problems.ts';

const auth = ['authSigninURL', 'authResponseHeaders'];

/** What each kind of controller needs, and what only it has. */
const keys = {
  ingress: {
    must: 'ingressClassName',
    own: ['ingressClassName', 'certManagerClusterIssuer', 'sslRedirect', 'forceSslRedirect', 'authURL', ...auth],
  },
  gateway: { must: 'gatewayName', own: ['gatewayName', 'gatewayNamespace'] },
} as const;

/** Rules of what a profile says about `expose` that hang on its kind of controller. */
export function checkRendering(rendering: JsonObject, report: ReportAt): void {
  const controller = rendering['controllerType'] === 'gateway' ? 'gateway' : 'ingress';
  const other = controller === 'gateway' ? 'ingress' : 'gateway';
  const { must } = keys[controller];
  if (!has(rendering, must)) {
    report(exposeProblems.create('expose-rendering-missing', { controller, key: must }), []);
  }
  for (const key of keys[other].own) {
    if (!has(rendering, key)) continue;
    report(exposeProblems.create('expose-rendering-foreign', { controller, key, other }), [key], 'key');
  }
  if (controller === 'ingress') checkAuth(rendering, report);
}

function checkAuth(rendering: JsonObject, report: ReportAt): void {
  const url = textAt(rendering, 'authURL');
  const alone = url === undefined ? auth.filter((key) => has(rendering, key)) : [];
  for (const key of alone) report(exposeProblems.create('expose-auth-alone', { key }), [key], 'key');
  // What stands behind a "#" is not sent, so that the groups would not be asked for.
  if (url !== undefined && /[?#]/.test(url)) report(exposeProblems.create('expose-auth-url', { url }), ['authURL']);
}
