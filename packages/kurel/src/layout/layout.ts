import type { KubeObject, OriginTable, OutputFile, Report } from '../model/index.ts';

export type OutputFormat = 'yaml' | 'json';

export interface LayoutInput {
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
  readonly format: OutputFormat;
  readonly report: Report;
}

export type Layout = (input: LayoutInput) => readonly OutputFile[];
