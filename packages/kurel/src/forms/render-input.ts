import type { RenderContext } from '../model/index.ts';
import type { Rendering } from '../provenance/index.ts';
import { detectInput } from './detect-input.ts';
import type { InputRequest, SettingGroup } from './form-types.ts';
import { fluxSetting, inputProblems, networkSetting } from './problems.ts';

/**
 * Detects the form of the input, unless `as` names it, as `kurel build` does, and renders it with `form.ts` of that form. Throws findings
 * if the path does not exist or is ambiguous.
 */
export async function renderInput(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const isForApplications = request.application?.profile !== undefined;
  const { form, path } = await detectInput({ ...request, isForApplications });
  for (const [group, list] of Object.entries(settingsOf(request))) {
    if (form.settings.includes(group as SettingGroup)) continue;
    for (const [setting, value] of Object.entries(list)) {
      if (value === undefined) continue;
      context.report(inputProblems.create('input-setting-unused', { path, form: form.name, setting }));
    }
  }
  const { render } = await form.load();
  return render({ ...request, path }, context);
}

/** Settings by their names in messages, which apply to the library as well. */
function settingsOf(request: InputRequest): Readonly<Record<SettingGroup, Readonly<Record<string, unknown>>>> {
  const { chart = {}, kustomization = {}, allowNetwork, package: settings = {}, application = {} } = request;
  const { local, force, maxDepth } = settings;
  return {
    chart: {
      'the release name': chart.releaseName,
      'the option to include CRDs': chart.includeCrds === true ? true : undefined,
      'the option to skip tests': chart.skipTests === true ? true : undefined,
      'the Kubernetes version of the chart': chart.kubeVersion,
      'the API version of the chart': chart.apiVersions?.[0],
    },
    kustomization: { 'the load restriction': kustomization.loadRestrictions },
    network: { [networkSetting]: allowNetwork === true ? true : undefined },
    package: {
      'the local extension': typeof local === 'string' ? local : undefined,
      'the patch to enable': force?.[0],
      'the maximum reference depth': maxDepth,
    },
    application: {
      'the profile': application.profile,
      'the capability definition': application.definitions?.[0],
      [fluxSetting]: application.fluxNamespace,
      'the permission to use private addresses': application.plainHttp === true ? true : undefined,
    },
  };
}
