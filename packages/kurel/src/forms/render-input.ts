import type { RenderContext } from '../model/index.ts';
import type { Rendering } from '../provenance/index.ts';
import { detectInput } from './detect-input.ts';
import type { InputRequest, SettingGroup } from './form.ts';
import { inputProblems, networkSetting } from './problems.ts';

/** Renders what a path is. Throws findings when there is nothing at the path or it could be two things. */
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

/** By the names of the flags, which are clear in the library too. */
function settingsOf(request: InputRequest): Readonly<Record<SettingGroup, Readonly<Record<string, unknown>>>> {
  const { chart = {}, kustomization = {}, allowNetwork, package: settings = {}, application = {} } = request;
  const { local, force, maxDepth } = settings;
  return {
    chart: {
      'the release name': chart.releaseName,
      'include CRDs': chart.includeCrds === true ? true : undefined,
      'skip tests': chart.skipTests === true ? true : undefined,
      'the Kubernetes version of the chart': chart.kubeVersion,
      'an API version of the chart': chart.apiVersions?.[0],
    },
    kustomization: { 'the load restriction': kustomization.loadRestrictions },
    network: { [networkSetting]: allowNetwork === true ? true : undefined },
    package: {
      'a local extension': typeof local === 'string' ? local : undefined,
      'a patch to enable': force?.[0],
      'the depth of references': maxDepth,
    },
    application: {
      'a profile': application.profile,
      'a capability definition': application.definitions?.[0],
      'a namespace for Flux objects': application.fluxNamespace,
      'leave to use private addresses': application.plainHttp === true ? true : undefined,
    },
  };
}
