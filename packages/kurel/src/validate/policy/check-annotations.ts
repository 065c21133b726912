import { eachMapping, fieldControls, fieldOf, has } from '../../kube/index.ts';
import { foldCase, isJsonArray, isJsonObject, readJson } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { foreignImage, isForeignImage, isForeignReference } from './check-image-texts.ts';
import { checkSecurity } from './check-security.ts';
import { checkImage, isImageAllowed, reportUnchecked } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { holdsObject } from './explain-field.ts';
import { isInForce } from './rules.ts';
import { pathOf } from './workload-field.ts';
import type { Field } from './workload-field.ts';

/** `annotations`, `podAnnotations`, `commonAnnotations` and the like. */
export function isAnnotations(key: string): boolean {
  return /annotations$/i.test(key);
}

/** Checks annotations, from which controllers and webhooks take images, patches and settings of pods. */
export function checkAnnotations(field: Field): void {
  const { key, value, enforcing } = field;
  if (!isAnnotations(key) || !isJsonObject(value) || !isInForce(enforcing.layers)) return;
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string' && text !== '') checkAnnotation(enforcing, { name, text, path: pathOf(field, name) });
  }
}

interface Annotation {
  readonly name: string;
  readonly text: string;
  readonly path: Path;
}

/** `sidecar.istio.io/proxyImage`, `vault.hashicorp.com/agent-image`, `argocd-image-updater.argoproj.io/image-list` */
const imageName = /image(?:[-_.]?(?:name|ref|reference|uri|url|list))?s?$/i;
/** `vault.hashicorp.com/agent-json-patch` */
const patchName = /(?:^|[^a-z])patch(?:es)?$/i;
/** `nginx.ingress.kubernetes.io/configuration-snippet` */
const snippetName = /snippets?$/i;
/** Container runtimes take devices and other settings of the pod from them. */
const runtimeName = /^(?:io\.kubernetes\.cri-o\.|io\.katacontainers\.config\.|cdi\.k8s\.io\/|devices\.nri\.io\/)/;
const injected = 'inject.istio.io/templates';
/** Templates that are part of Istio. */
const ownTemplates: ReadonlySet<string> = new Set(['sidecar', 'gateway', 'grpc-simple', 'grpc-agent', 'waypoint']);

function checkAnnotation(enforcing: Enforcing, { name, text, path }: Annotation): void {
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (imageName.test(last)) {
    checkNamedImages(enforcing, text, path);
    return;
  }
  const reason = explain();
  if (reason !== undefined) reportUnchecked(enforcing, path, reason);

  function explain(): string | undefined {
    if (holdsObject(text) || patchName.test(last)) return 'it contains an object or a patch as a string';
    if (snippetName.test(last)) return 'a controller runs it as configuration';
    if (runtimeName.test(name)) return 'container runtimes take settings of the pod from it';
    if (name === injected && text.split(',').some((template) => !ownTemplates.has(template.trim())))
      return 'it refers to a template that is defined elsewhere';
    if (isForeignImage(enforcing, text) || (/image|img/i.test(last) && isForeignReference(enforcing, text)))
      return foreignImage;
    return explainText(enforcing, text);
  }
}

/** One image or several, perhaps with aliases: `web=ghcr.io/team/web, proxy=envoyproxy/envoy`. */
function checkNamedImages(enforcing: Enforcing, text: string, path: Path): void {
  for (const entry of text.split(/[,\s]+/)) {
    const image = entry.slice(entry.indexOf('=') + 1);
    if (image === '' || /^(?:true|false)$/i.test(image) || isImageAllowed(enforcing, image)) continue;
    if (/[/:]/.test(image)) checkImage(enforcing, path, { image });
    else reportUnchecked(enforcing, path, foreignImage);
    return;
  }
}

/** Settings of pods in a text that cannot be read. */
const suspicious = /\b(?:image|privileged|hostPath|hostNetwork|hostPID|hostIPC|hostPort|capabilities)["']?[ \t]{0,9}:/i;

/** `"host\x50ID": true` */
const escapedKey = /"[^"\n]*\\[xuU][^"\n]*"[ \t]{0,9}:/;

/** Whether it is a list of operations of a JSON patch. */
function isPatch(data: Json): boolean {
  return isJsonArray(data) && data.some((item) => isJsonObject(item) && item['op'] !== undefined && has(item, 'path'));
}

const contains = 'it contains settings of pods:';

/** Why JSON or YAML in an annotation could run something that the policy does not allow. */
function explainText(enforcing: Enforcing, text: string): string | undefined {
  if (!/^\s*[[{]|\n/.test(text) && !suspicious.test(text)) return undefined;
  const data = parse(text);
  if (data === 'ambiguous') return 'programs read its repeated keys in different ways';
  if (data === undefined) {
    const isSuspicious = suspicious.test(text) || escapedKey.test(text);
    return isSuspicious ? 'it has settings of pods, and cannot be read' : undefined;
  }
  if (isPatch(data)) return 'it contains an object or a patch as a string';
  let reason: string | undefined;
  const inner: Enforcing = { ...enforcing, reportFinding: ({ message }) => void (reason ??= `${contains} ${message}`) };
  eachMapping(respell(data), (holder, place) => {
    for (const key of Object.keys(holder)) {
      const value = holder[key]!;
      checkSecurity({ key, value, holder, place, enforcing: inner });
      if (typeof value === 'string' && /^\s*[[{]/.test(value)) reason ??= explainText(enforcing, value);
      const names = imageName.test(key) || (key === 'repository' && imageName.test(fieldOf(place)));
      const isNamed = names && typeof value === 'string' && value !== '';
      const values = isJsonArray(value) ? value : [value];
      if ((isNamed && !isImageAllowed(enforcing, value)) || values.some((item) => isForeignImage(enforcing, item)))
        reason ??= `${contains} it has an image from a registry that the policy does not allow in "${key}"`;
    }
  });
  return reason;
}

/** JSON, or YAML without aliases, which could expand. Go ignores the case of keys, and merges those that repeat. */
function parse(text: string): JsonObject | Json[] | 'ambiguous' | undefined {
  const reading = readJson(text, { exactIntegers: true, fields: { names: [] } });
  if ('reason' in reading && 'data' in readJson(text, { exactIntegers: true, lastKeyWins: true })) return 'ambiguous';
  const data = 'data' in reading ? reading.data : parseYaml(text);
  return isJsonArray(data) || isJsonObject(data) ? (data as JsonObject | Json[]) : undefined;
}

const spelling = new Map(
  ['annotations', 'image', 'capabilities', 'add', 'sysctls', 'name', 'volumes']
    .concat(fieldControls.flatMap(({ field }) => field))
    .map((name) => [foldCase(name), name]),
);

/** Spells the keys that are checked as Kubernetes does. Readers limit how deeply the data is nested. */
function respell(data: Json): Json {
  if (isJsonArray(data)) return data.map(respell);
  if (!isJsonObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [spelling.get(foldCase(key)) ?? key, respell(value)]),
  );
}

function parseYaml(text: string): Json | undefined {
  if (/[&*][\w-]/.test(text)) return undefined;
  const { documents, diagnostics } = readYaml({ path: 'annotation', text });
  return diagnostics.length > 0 ? undefined : documents.flatMap(({ data }) => data ?? []);
}
