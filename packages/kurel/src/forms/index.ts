// takes:   a path, or a source of one form: files, texts, objects, kustomizations, charts, packages
// gives:   its form; its objects with their provenance and facts; the description of a package; renderers for an engine
// refuses: sources that do not exist or cannot be read, the network unless allowed, partial results
import type { ProblemSummary } from '../diagnostics/index.ts';
import { helmRenderer } from './chart/form.ts';
import { kustomizeRenderer } from './kustomization/form.ts';
import { manifestsRenderer } from './manifests/form.ts';
import { memoryRenderer } from './memory-renderer.ts';
import { inputProblems } from './problems.ts';
import { helmProblems } from './chart/problems.ts';
import { kustomizeProblems } from './kustomization/problems.ts';
import { applicationRenderer } from './application/load-and-render.ts';
import { applicationProblems } from './application/problems.ts';
import { catalogProblems } from './application/catalog/problems.ts';
import { composeProblems } from './application/compose/problems.ts';
import { nameProblems } from './application/pods/names.ts';
import { portProblems } from './application/pods/port-properties.ts';
import { podProblems } from './application/pods/problems.ts';
import { serviceProblems } from './application/pods/service-properties.ts';
import { sourceProblems } from './application/sources/problems.ts';
import { patchPackageRenderer } from './patch-package/form.ts';
import { packageProblems } from './patch-package/problems.ts';
import { parameterSchemaProblems } from './patch-package/schema/problems.ts';
import { manifestsProblems } from './manifests/problems.ts';

/** All findings of this module, by code. */
// A function, so that importing this module does not load the code of every form: scripts/open-barrels.mjs makes importers of an index
// import only the files that they use.
export function listFormProblems(): Readonly<Record<string, ProblemSummary>> {
  return {
    ...inputProblems.definitions,
    ...manifestsProblems.definitions,
    ...helmProblems.definitions,
    ...kustomizeProblems.definitions,
    ...applicationProblems.definitions,
    ...composeProblems.definitions,
    ...podProblems.definitions,
    ...portProblems.definitions,
    ...serviceProblems.definitions,
    ...nameProblems.definitions,
    ...sourceProblems.definitions,
    ...catalogProblems,
    ...packageProblems.definitions,
    ...parameterSchemaProblems.definitions,
  };
}

/** Renderers, one per kind of source. */
export const renderers = {
  /**
   * Renders plain manifests: files of a `FileSystem`, or a text.
   * @example renderers.manifests({ name: 'web.yaml', text: 'apiVersion: v1 …' })
   */
  manifests: manifestsRenderer,
  /**
   * Renders objects that are in memory.
   * @example renderers.memory({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }] })
   */
  memory: memoryRenderer,
  /** Renders charts with `helm template`. */
  helm: helmRenderer,
  /** Renders kustomizations with `kustomize build`. */
  kustomize: kustomizeRenderer,
  /** Renders patch packages. Values of the render override those of the package. */
  patchPackage: patchPackageRenderer,
  /** Renders application packages. Values of the render are values of parameters. */
  application: applicationRenderer,
} as const;

export { detectInput, markedDirectory } from './detect-input.ts';
export { renderInput } from './render-input.ts';
export { forms, loadPolicy } from './forms.ts';
export { findAcceptanceFiles, readAcceptanceSources } from './find-acceptance-files.ts';
export type {
  ApplicationSettings,
  BuildStage,
  ChartSettings,
  DescribedParameter,
  DescriptionRequest,
  Form,
  FormModule,
  InputRequest,
  KustomizationSettings,
  OwnValuesRequest,
  PackageDescription,
  PackageForm,
  PackageInfo,
  PackageModule,
  PackageSettings,
  PackageTemplate,
  PublishedParts,
  ValidationSettings,
} from './form-types.ts';
export type { DetectedInput } from './detect-input.ts';
export { ChartLocateError, ChartRenderError } from './chart/helm-source.ts';
export type { HelmOptions, HelmSource } from './chart/helm-source.ts';
export type { KustomizeOptions, KustomizeSource } from './kustomization/form.ts';
export type { ManifestFiles, ManifestText, ManifestsSource } from './manifests/form.ts';
export type { MemorySource } from './memory-renderer.ts';
export { findOwnDefinitions } from './find-own-definitions.ts';
export { memoryFileSystem } from './memory-file-system.ts';
export { lastPartOf, localNameOf, normalisePath, parentOf } from './paths.ts';
export { loadPatchPackage } from './patch-package/load-patch-package.ts';
export type { PackageLimits, PackageRequest } from './package-loading.ts';
export type * from './patch-package/patch-package.ts';
export type { PatchPackageSource } from './patch-package/form.ts';
export { planPatches, shortName } from './patch-package/plan-patches.ts';
export type { PlanOptions } from './patch-package/plan-patches.ts';
export {
  checkGivenValues,
  checkUnusedParameters,
  examinePackage,
  resolvePackageParameters,
} from './patch-package/examine-package.ts';
export type { ExaminationRequest, GivenCheck, ResolveRequest, UnusedCheck } from './patch-package/examine-package.ts';
export { examinedPackageOf } from './patch-package/patch-package.ts';
export { renderPackage } from './patch-package/render-package.ts';
export type { PackageOptions, RenderedPackage } from './patch-package/render-package.ts';
export { checkParameters, findRefusedParameters } from './patch-package/check-package.ts';
export type { ParameterCheck, RefusalCheck, SchemaSettings } from './patch-package/check-package.ts';
export { castValues } from './patch-package/schema/cast-values.ts';
export {
  generateParameterSchema,
  reportMissingInSchema,
  schemaCacheKey,
} from './patch-package/schema/generate-schema.ts';
export type { SchemaRequest } from './patch-package/schema/generate-schema.ts';
export { readParameterSchema } from './patch-package/schema/check-schema.ts';
export { validateValues } from './patch-package/schema/validate-values.ts';
export { createDocumentSchema, documentNames } from './application/editor-schemas/document-schemas.ts';
export type { DocumentName, DocumentSchemaOptions } from './application/editor-schemas/document-schemas.ts';
export { createValuesSchema } from './application/editor-schemas/values-schema.ts';
export type { ValuesSchemaOptions } from './application/editor-schemas/values-schema.ts';
export type { ApplicationSource } from './application/load-and-render.ts';
export { ErrMissingCapability } from './application/missing-capability.ts';
export type { ApplicationRendering } from './application/render-application.ts';
export type { Handlers } from './application/catalog/catalog.ts';
export { defineComponent, definePolicy, defineTrait } from './application/catalog/define.ts';
export type * from './application/catalog/define.ts';
export { createCatalog } from './application/catalog/catalog.ts';
export { describeType } from './application/describe-type.ts';
export type { DescribedType } from './application/describe-type.ts';
export { checkDocument } from './application/check-document.ts';
export type { CheckedKind, DocumentCheckOptions } from './application/check-document.ts';
export { examineApplication } from './application/examine-application.ts';
export type { ApplicationExamination, ExaminedPart } from './application/examine-application.ts';
export { loadApplication } from './application/load-application.ts';
export { planVendor, readFleetLockDocument, readLock } from './application/sources/lock.ts';
export type {
  FleetLockEntry,
  LeftOverFile,
  Lock,
  LockEntry,
  VendoredFile,
  VendorOptions,
  VendorPlan,
} from './application/sources/lock.ts';
export type { SourceName, TakenSource } from './application/sources/source-request.ts';
