import type { Location, Path } from '../../../model/index.ts';
import { isHostAllowed, isSourceAllowed, sourcesAllowedBy } from '../../../validate/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { keyOfRequest } from '../sources/source-request.ts';
import type { LoadedSource, SourceRequest } from '../sources/source-request.ts';
import type { Composing } from './composition.ts';
import { composeProblems } from './problems.ts';

interface Loading {
  /** Of the property that names the source. */
  readonly path: Path;
  readonly location: Location;
  readonly tell: ReportAt;
  readonly composing: Composing;
}

/** What a component asks for, if it is there; otherwise whoever composes hears of it. The policies are asked first. */
export function loadSource(
  request: SourceRequest,
  { path, location, tell, composing }: Loading,
): LoadedSource | undefined {
  const { sources, onRequest, rules } = composing;
  const isAllowed = request.kind === 'file' || checkUrl(request.url, { path, tell, composing });
  // A draft goes on with what is there already, but nothing that a policy forbids is ever asked for.
  if (!isAllowed && composing.isDraft !== true) return undefined;
  const loaded = sources?.get(keyOfRequest(request));
  const hosts = rules.layers.flatMap((layer) => sourcesAllowedBy(layer) ?? []);
  const allowHost = (host: string): boolean => hosts.every(({ allowed }) => isHostAllowed(host, allowed));
  const isListedHost = (host: string): boolean => hosts.length > 0 && allowHost(host);
  if (loaded === undefined && isAllowed) onRequest?.({ request, location, allowHost, isListedHost });
  return loaded;
}

/** Whether every policy lets something be taken from a URL; one that does not is told. */
export function checkUrl(url: string, { path, tell, composing }: Omit<Loading, 'location'>): boolean {
  return isSourceAllowed(url, composing.rules.layers, (allowed, { layer, path: rule }) => {
    const place = layer.locate(rule);
    const related = place === undefined ? {} : { related: [{ message: 'the rule is here', location: place }] };
    tell(composeProblems.create('policy-source', { url, allowed }, related), path);
  });
}
