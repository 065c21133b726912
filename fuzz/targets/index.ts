import type { Target } from '../target.ts';
import { ociReference, tar, versionRange } from './fetching.ts';
import { jq } from './jq.ts';
import { kpatch, patchPath } from './kpatch.ts';
import { kubeTexts } from './kube-texts.ts';
import { labelSelector } from './labels.ts';
import { layoutTarget } from './layouts.ts';
import { applicationPackage, explanation, patchPackage, sources } from './packages.ts';
import { declaredParameters, parameters, setFlag } from './parameters.ts';
import { patchApply } from './patch-apply.ts';
import { pattern } from './pattern.ts';
import { validate, valueSchema } from './validate.ts';
import { yamlEdit, yamlRead } from './yaml.ts';

export const targets: readonly Target[] = [
  yamlRead,
  yamlEdit,
  kpatch,
  patchPath,
  patchApply,
  labelSelector,
  kubeTexts,
  setFlag,
  parameters,
  declaredParameters,
  applicationPackage,
  patchPackage,
  explanation,
  sources,
  validate,
  valueSchema,
  layoutTarget,
  jq,
  pattern,
  ociReference,
  versionRange,
  tar,
];
