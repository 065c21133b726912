import type { Json } from '../model/index.ts';
import { writeJson } from './write-json.ts';
import { writeDoubleQuoted, writeString } from './write-string.ts';
import { isFilled, LONGEST_SIMPLE_KEY, writeScalar } from './write-yaml.ts';

/** How a flow collection separates its parts. */
export interface FlowStyle {
  /** All keys and strings in double quotes, as JSON has them. */
  readonly json: boolean;
  readonly colon: string;
  /** Between two entries; where `lines` is given, with a line break and the indentation after it. */
  readonly comma: string;
  /** Indentation of nested lines; absent when everything stands on one line. */
  readonly lines?: { readonly pad: string; readonly step: number };
}

/** Data in brackets and braces, without a line break at the end. */
export function writeFlow(data: Json, style: FlowStyle): string {
  if (style.json && style.lines !== undefined && isFilled(data)) {
    const { pad, step } = style.lines;
    const lines = writeJson(data, step);
    const indented = pad.includes('\t') ? lines.replaceAll(/^ +/gmu, (blanks) => '\t'.repeat(blanks.length)) : lines;
    return indented.replaceAll('\n', `\n${pad}`);
  }
  if (typeof data === 'string') return style.json ? writeDoubleQuoted(data) : writeString(data, 'flow');
  if (!isFilled(data)) return writeScalar(data);
  const comma = style.lines === undefined ? style.comma : ', ';
  if (Array.isArray(data)) return `[${data.map((item: Json) => writeFlow(item, style)).join(comma)}]`;
  const entries = Object.entries(data).map(([key, value]) => {
    return `${writeFlowKey(key, style)}${writeFlow(value, style)}`;
  });
  return `{${entries.join(comma)}}`;
}

/** A key and what is between it and its value. */
export function writeFlowKey(key: string, style: FlowStyle): string {
  const written = writeFlow(key, style);
  return written.length > LONGEST_SIMPLE_KEY && !style.json ? `? ${written} : ` : `${written}${style.colon}`;
}
