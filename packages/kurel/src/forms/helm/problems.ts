import { defineProblems, quote } from '../../diagnostics/index.ts';

interface ChartArgs {
  readonly chart: string;
}

interface ReasonArgs extends ChartArgs {
  /** Helm's own words. */
  readonly reason: string;
}

export const helmProblems = defineProblems({
  'chart-not-found': {
    severity: 'error',
    summary: 'The path of a chart does not exist.',
    message: ({ chart }: ChartArgs) => `the chart ${quote(chart)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      near === undefined
        ? 'a chart elsewhere needs its repository or an oci:// address'
        : `did you mean ${quote(near)}?`,
  },
  'chart-without-chart-yaml': {
    severity: 'error',
    summary: 'A directory that should be a chart has no Chart.yaml.',
    message: ({ chart }: ChartArgs) => `${quote(chart)} is not a chart: it has no Chart.yaml`,
  },
  'chart-link-out': {
    severity: 'error',
    summary: 'A link in a chart leads out of the chart.',
    message: ({ path, chart }: ChartArgs & { readonly path: string }) =>
      `the link ${quote(path)} leads out of the chart ${quote(chart)}`,
    hint: () => 'put a copy in its place',
  },
  'chart-link-circle': {
    severity: 'error',
    summary: 'A link in a chart leads to a directory that it stands in.',
    message: ({ path }: { readonly path: string }) => `the link ${quote(path)} leads in a circle`,
    hint: () => 'remove the link',
  },
  'chart-not-a-file': {
    severity: 'error',
    summary: 'Something in a chart is neither file nor directory.',
    message: ({ path }: { readonly path: string }) =>
      `${quote(path)} is a device, a pipe, a socket or a link that leads nowhere`,
    hint: () => 'remove it, or name it in the .helmignore of the chart',
  },
  'chart-too-deep': {
    severity: 'error',
    summary: 'A chart has more directories inside one another than any real one.',
    message: ({ path, limit }: { readonly path: string; readonly limit: number }) =>
      `${quote(path)} is in more than ${limit} directories of the chart`,
    hint: () => 'remove it',
  },
  'chart-names-alike': {
    severity: 'error',
    summary: 'Two names in a chart differ only in case or Unicode form, and are one file on some disks.',
    message: ({ path, other }: { readonly path: string; readonly other: string }) =>
      `${quote(path)} and ${quote(other)} differ only in case or Unicode form`,
    hint: () => 'rename one of them',
  },
  'chart-schema-refused': {
    severity: 'error',
    summary: 'The values.schema.json of a chart refers to files or addresses outside of it, which helm would load.',
    message: ({ path, reason }: { readonly path: string; readonly reason: string }) => `${quote(path)} ${reason}`,
    hint: ({ reason }: { readonly reason: string }) =>
      reason.startsWith('refers')
        ? 'copy the schema that it refers to into "$defs", and refer to it with "#/$defs/NAME"'
        : undefined,
  },
  'chart-archive-refused': {
    severity: 'error',
    summary: 'The archive of a chart holds something that is not given to helm.',
    message: ({ path, reason }: { readonly path: string; readonly reason: string }) =>
      `the chart archive ${quote(path)} is refused: ${reason}`,
  },
  'chart-needs-network': {
    severity: 'error',
    summary: 'A chart lies elsewhere, and the network is not allowed.',
    message: ({ chart, from }: ChartArgs & { readonly from: string }) =>
      `the chart ${quote(chart)} would be fetched${from === chart ? '' : ` from ${quote(from)}`}, but the network is not allowed`,
    hint: () => 'allow it (--allow-network), or fetch the chart first with `helm pull --untar` and build the directory',
  },
  'chart-not-located': {
    severity: 'error',
    summary: 'Helm cannot find or fetch a chart.',
    message: ({ chart, reason }: ReasonArgs) => `helm cannot get the chart ${quote(chart)}: ${reason}`,
  },
  'chart-dependency-missing': {
    severity: 'error',
    summary: 'A chart names dependencies that are not in its charts directory.',
    message: ({ chart, names }: ChartArgs & { readonly names: string }) =>
      `the chart ${quote(chart)} depends on ${names}, missing in its charts directory`,
    hint: ({ chart }: ChartArgs) => `run \`helm dependency build ${chart}\` first; kurel does not change charts`,
  },
  'chart-values-refused': {
    severity: 'error',
    summary: 'Values do not fit the values.schema.json of a chart.',
    message: ({ owner, reason }: { readonly owner: string; readonly reason: string }) =>
      `the chart ${quote(owner)} refuses the values ${reason}`,
    hint: () => 'the values.schema.json of the chart says what it takes',
  },
  'chart-render-failed': {
    severity: 'error',
    summary: 'Helm cannot render a chart.',
    message: ({ chart, reason }: ReasonArgs) => `helm cannot render the chart ${quote(chart)}: ${reason}`,
  },
  'chart-warning': {
    severity: 'warning',
    summary: 'Helm warns about a chart or its values.',
    message: ({ chart, reason }: ReasonArgs) => `helm warns about the chart ${quote(chart)}: ${reason}`,
  },
});
