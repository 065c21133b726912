import type { Diagnostic } from '../../model/index.ts';
import { composeApplication } from './compose/compose-application.ts';
import type { Composition, CompositionInput } from './compose/composition.ts';
import { sourceProblems } from './sources/problems.ts';
import { keyOfRequest } from './sources/source-request.ts';
import type { LoadedSource, RequestedSource } from './sources/source-request.ts';

export type LoadSources = (requested: readonly RequestedSource[]) => Promise<ReadonlyMap<string, LoadedSource>>;

interface ComposedWithSources {
  readonly composition: Composition | undefined;
  /** With everything that was loaded. */
  readonly input: CompositionInput;
}

// A chart could name a source that names another, but nothing built in goes deeper than this.
const mostRounds = 3;

/**
 * Composes, and again with what components asked for that stands elsewhere. A composition stays a pure function: it says what it
 * lacks, and whoever calls it knows where to get that.
 */
export async function composeWithSources(given: CompositionInput, load: LoadSources): Promise<ComposedWithSources> {
  let sources: ReadonlyMap<string, LoadedSource> = new Map();
  const tried = new Set<string>();
  for (let round = 1; ; round += 1) {
    const requested: RequestedSource[] = [];
    const found: Diagnostic[] = [];
    const input = {
      ...given,
      sources,
      onRequest: (one: RequestedSource) => void requested.push(one),
      report: (diagnostic: Diagnostic) => void found.push(diagnostic),
    };
    const composition = composeApplication(input);
    const hasErrors = found.some(({ severity }) => severity === 'error');
    // What could not be loaded was told already.
    const untried = requested.filter(({ request }) => !tried.has(keyOfRequest(request)));
    if (untried.length > 0 && !hasErrors && round < mostRounds) {
      for (const { request } of untried) tried.add(keyOfRequest(request));
      const loaded = await load(untried);
      if (loaded.size > 0) {
        sources = new Map([...sources, ...loaded]);
        continue;
      }
    }
    for (const diagnostic of found) given.report(diagnostic);
    const [next] = round < mostRounds || hasErrors ? [] : untried;
    if (next !== undefined) given.report(sourceProblems.create('sources-nested', {}, { location: next.location }));
    return { composition: requested.length > 0 ? undefined : composition, input: { ...given, sources } };
  }
}
