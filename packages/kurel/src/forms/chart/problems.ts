import { defineProblems, didYouMean, pass, quote, sentence, setting } from '../../diagnostics/index.ts';

interface ChartArgs {
  readonly chart: string;
}

interface ReasonArgs extends ChartArgs {
  /** Message from helm. */
  readonly reason: string;
}

export const helmProblems = defineProblems(() => ({
  'chart-not-found': {
    summary: 'The chart path does not exist.',
    fix: 'Correct the path of the chart. For a remote chart, run `helm pull --untar` first and build the directory.',
    message: ({ chart }: ChartArgs) => `chart ${quote(chart)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      didYouMean(near) ?? 'for a remote chart, set its repository or use an oci:// address',
  },
  'chart-without-chart-yaml': {
    summary: 'A chart directory has no Chart.yaml.',
    fix: 'Pass the directory that contains Chart.yaml, or add the file.',
    message: ({ chart }: ChartArgs) => `${quote(chart)} is not a chart: it has no Chart.yaml`,
  },
  'chart-link-out': {
    summary: 'A link in a chart points outside the chart.',
    fix: 'Replace the link with a copy of the file. helm would follow the link, and templates could print the file.',
    message: ({ path, chart }: ChartArgs & { readonly path: string }) =>
      `link ${quote(path)} points outside the chart ${quote(chart)}`,
    hint: () => 'copy the file into the chart',
  },
  'chart-link-circle': {
    summary: 'A link in a chart points to one of its own parent directories.',
    fix: 'Remove the link.',
    message: ({ path }: { readonly path: string }) => `link ${quote(path)} forms a cycle`,
    hint: () => 'remove the link',
  },
  'chart-not-a-file': {
    summary: 'A chart contains something that is neither a file nor a directory.',
    fix: 'Remove the file, or add its name to .helmignore, so that helm does not read it.',
    message: ({ path }: { readonly path: string }) => `${quote(path)} is a device, a pipe, a socket or a broken link`,
    hint: () => 'remove it, or add it to the .helmignore of the chart',
  },
  'chart-too-deep': {
    summary: 'The directories of a chart are nested too deeply.',
    fix: 'Remove the directory, or move its files up.',
    message: ({ path, limit }: { readonly path: string; readonly limit: number }) =>
      `${quote(path)} is nested more than ${limit} directories deep`,
    hint: () => 'remove it',
  },
  'chart-names-alike': {
    summary: 'Two file names in a chart differ only in case or Unicode form, and collide on some file systems.',
    fix: 'Rename one of the files.',
    message: ({ path, other }: { readonly path: string; readonly other: string }) =>
      `${quote(path)} and ${quote(other)} differ only in case or Unicode form`,
    hint: () => 'rename one of them',
  },
  'chart-schema-refused': {
    summary: 'The values.schema.json of a chart refers to files or URLs outside the chart, which helm would load.',
    fix: 'Copy the referenced schema into `$defs` of values.schema.json and refer to it as `#/$defs/NAME`.',
    message: ({ path, reason }: { readonly path: string; readonly reason: string }) => `${quote(path)} ${reason}`,
    hint: ({ reason }: { readonly reason: string }) =>
      reason.startsWith('refers')
        ? 'copy the referenced schema into "$defs", and refer to it as "#/$defs/NAME"'
        : undefined,
  },
  'chart-archive-refused': {
    summary: 'A chart archive contains unsafe content and is not passed to helm.',
    fix: 'Package the chart again with `helm package`, or unpack it and build the directory.',
    message: ({ path, reason }: { readonly path: string; readonly reason: string }) =>
      `chart archive ${quote(path)} is rejected: ${reason}`,
  },
  'chart-needs-network': {
    summary: 'A chart is remote, but network access is not allowed.',
    fix: sentence`Pass \`${setting('allowNetwork')}\`, or run \`helm pull --untar\` and build the directory.`,
    message: ({ chart, from }: ChartArgs & { readonly from: string }) =>
      `cannot fetch chart ${quote(chart)}${from === chart ? '' : ` from ${quote(from)}`}: network access is not allowed`,
    hint: () => sentence`${pass('allowNetwork')}, or run \`helm pull --untar\` and build the directory`,
  },
  'chart-not-located': {
    summary: 'helm cannot find or fetch a chart.',
    fix: 'Check the name, version and address of the chart. Try `helm pull` with the same arguments.',
    message: ({ chart, reason }: ReasonArgs) => `helm cannot fetch chart ${quote(chart)}: ${reason}`,
  },
  'chart-dependency-missing': {
    summary: 'Dependencies of a chart are missing in its charts/ directory.',
    fix: 'Run `helm dependency build` in the chart. kurel does not change charts.',
    message: ({ chart, names }: ChartArgs & { readonly names: string }) =>
      `dependencies of chart ${quote(chart)} are missing in its charts/ directory: ${names}`,
    hint: ({ chart }: ChartArgs) => `run \`helm dependency build ${chart}\``,
  },
  'chart-values-refused': {
    summary: 'Values do not match the values.schema.json of a chart.',
    fix: 'Correct the value that the message names. `helm show values` prints the values of the chart.',
    message: ({ owner, reason }: { readonly owner: string; readonly reason: string }) =>
      `values of chart ${quote(owner)} do not match its values.schema.json: ${reason}`,
  },
  'chart-render-failed': {
    summary: 'helm cannot render a chart.',
    fix: 'Correct the template or the values that the message names. `helm template` shows the same error.',
    message: ({ chart, reason }: ReasonArgs) => `helm cannot render chart ${quote(chart)}: ${reason}`,
  },
  'chart-warning': {
    severity: 'warning',
    summary: 'helm prints a warning about a chart or its values.',
    fix: sentence`Follow the advice of helm, or accept the finding with \`${setting('accept', 'chart-warning')}\`.`,
    message: ({ chart, reason }: ReasonArgs) => `helm warning for chart ${quote(chart)}: ${reason}`,
  },
}));
