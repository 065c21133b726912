import { inputSettings } from './input-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { outputSettings } from './output-settings.ts';

/**
 * Every setting of a build. Flags, completion, the keys of fleet files and of KurelBuild, the variables of the Argo CD plugin and
 * attestations come from these rows.
 */
export const settingTable = { ...inputSettings, ...limitSettings, ...outputSettings } as const;
