import { formatField, formatObject, writeJson } from '../../index.ts';
import type { ParameterTrace, TraceStep } from '../../index.ts';
import type { JsonObject, Location } from '../../model/index.ts';
import type { ChainOptions } from './format-chains.ts';
import type { ShownTrace } from './hide-secret-traces.ts';

/** Everything about the fields, for other programs. Lines and columns count from 1. */
export function tracesToJson(fields: readonly ShownTrace[], { object, findPlace }: ChainOptions): string {
  const place = (location: Location | undefined): JsonObject =>
    location === undefined ? {} : { place: { ...findPlace(location) } };
  const parameter = ({ name, value, words, location, refersTo }: ParameterTrace): JsonObject => ({
    name,
    ...(value === undefined ? {} : { value }),
    words,
    ...place(location),
    ...(refersTo.length === 0 ? {} : { refersTo: refersTo.map(parameter) }),
  });
  const step = ({ kind, words, location, before, after, parameters }: TraceStep): JsonObject => ({
    kind,
    ...(words === '' ? {} : { words }),
    ...place(location),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameter) }),
  });
  const text = writeJson({
    object: formatObject(object),
    fields: fields.map(({ path, value, steps, hidden }) => ({
      field: formatField(path, object),
      path,
      ...(value === undefined ? { gone: true } : { value }),
      ...(hidden === undefined ? {} : { hidden }),
      steps: steps.map(step),
    })),
  });
  return `${text}\n`;
}
