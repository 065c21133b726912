import { formatNumber, formatSeconds } from './format-figures.mjs';

const width = 860;
const left = 300;
const right = 90;
const lineHeight = 17;
const caseGap = 16;
const top = 66;

/**
 * A chart of ratios: for each case one bar for each program, from kurel's line to its time as a multiple of kurel's. The
 * scale is logarithmic, so that twice and half are equally far from the line. Has its own background, for pages of either colour.
 */
export function drawChart(rows) {
  const cases = collectCases(rows);
  const ratios = cases.flatMap(({ bars }) => bars.map(({ ratio }) => ratio));
  const [low, high] = [Math.floor(Math.log10(Math.min(...ratios, 1))), Math.ceil(Math.log10(Math.max(...ratios, 1)))];
  const across = (ratio) => left + ((Math.log10(ratio) - low) / (high - low)) * (width - left - right);

  let y = top;
  const drawn = cases.map(({ what, own, bars }) => {
    const head = `<text x="16" y="${y + 12}" class="case">${escape(what)}: kurel ${formatSeconds(own.seconds)}</text>`;
    const lines = bars.map((bar, at) => drawBar(bar, { y: y + (at + 1) * lineHeight, across }));
    y += (bars.length + 1) * lineHeight + caseGap;
    return [head, ...lines].join('\n');
  });
  const height = y + 8;
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Time of other programs as a multiple of kurel’s time</title>
<desc id="description">${escape(describe(cases))}</desc>
<style>${style}</style>
<rect width="${width}" height="${height}" rx="8" class="paper"/>
<text x="16" y="26" class="heading">Time of other programs as a multiple of kurel’s, logarithmic</text>
<text x="16" y="44" class="quiet">right of the line: slower than kurel; left of the line: faster</text>
${ticks.map((tick) => drawTick(tick, { x: across(tick), height })).join('\n')}
${drawn.join('\n')}
</svg>
`;
}

/** The smallest and the largest input of each kind; the tables also have the sizes between. */
const shown =
  /^(?:start-up|small-.*|(?:build|patch|package-half|package-all|webservices|comments|validate|jq)-10000|validate-50000|jq-in-memory)$/;

function collectCases(rows) {
  return rows
    .filter(({ role, case: id }) => role === 'kurel' && shown.test(id))
    .map((own) => ({ what: own.what, own, bars: collectBars(rows, own) }))
    .filter(({ bars }) => bars.length > 0);
}

function collectBars(rows, own) {
  return rows
    .filter((row) => row.case === own.case && row.role === 'peer' && !row.failed)
    .map(({ subject, seconds, stopped }) => ({ subject, stopped, ratio: seconds / own.seconds }));
}

function drawBar({ subject, ratio, stopped }, { y, across }) {
  const [line, end] = [across(1), across(ratio)];
  const x = Math.min(line, end);
  const length = Math.max(Math.abs(end - line), 1);
  const [anchor, beside] = ratio < 1 ? ['end', x - 5] : ['start', x + length + 5];
  const figure = `${stopped ? '&gt; ' : ''}${formatNumber(ratio)} ×`;
  return [
    `<text x="28" y="${y + 12}" class="program">${escape(subject)}</text>`,
    `<rect x="${x.toFixed(1)}" y="${y + 3}" width="${length.toFixed(1)}" height="11" rx="2" class="peer"/>`,
    `<text x="${beside.toFixed(1)}" y="${y + 12}" text-anchor="${anchor}" class="figure">${figure}</text>`,
  ].join('');
}

function drawTick(tick, { x, height }) {
  const at = x.toFixed(1);
  const line = `<line x1="${at}" y1="${top - 2}" x2="${at}" y2="${height - 14}" class="${tick === 1 ? 'kurel' : 'grid'}"/>`;
  const words = tick === 1 ? 'kurel' : `${tick.toLocaleString('en', { maximumFractionDigits: 6 })} ×`;
  return `${line}<text x="${at}" y="${top - 7}" text-anchor="middle" class="quiet">${words}</text>`;
}

/** The chart as text, for screen readers. */
function describe(cases) {
  return cases
    .map(({ what, bars }) => {
      const figures = bars.map(({ subject, ratio, stopped }) => {
        return `${subject} ${stopped ? 'more than ' : ''}${formatNumber(ratio)}`;
      });
      return `${what}: ${figures.join(', ')}.`;
    })
    .join(' ');
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const style = `
text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.heading { font-size: 15px; font-weight: 600; }
.case { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.quiet, .program { fill: #59636e; }
.figure { font-size: 11px; }
.paper { fill: #ffffff; stroke: #d1d9e0; }
.grid { stroke: #d1d9e0; }
.kurel { stroke: #0969da; stroke-width: 2; }
.peer { fill: #bc4c00; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .case { stroke: #0d1117; }
  .quiet, .program { fill: #9198a1; }
  .paper { fill: #0d1117; stroke: #3d444d; }
  .grid { stroke: #3d444d; }
  .kurel { stroke: #4493f8; }
  .peer { fill: #f0883e; }
}
`;
