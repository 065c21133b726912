const width = 1200;
const lineHeight = 16;
const top = 44;
/** A frame that is narrower would be invisible. */
const narrowest = 1;
/** A narrower frame has no room for its name. */
const narrowestText = 28;
const deepest = 40;

/** A flame graph of V8's CPU profiles: a frame is as wide as the time of its calls, and lies on what called it. */
export function drawFlame(profiles, title) {
  const tree = createFrame('');
  for (const profile of profiles) addProfile(tree, profile);
  const frames = [...layOut(tree, { x: 0, scale: width / tree.time, level: 0 })].slice(1);
  const height = top + (Math.max(...frames.map(({ level }) => level)) + 1) * lineHeight + 8;
  const milliseconds = (tree.time / profiles.length / 1000).toFixed(0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escape(title)}: ${milliseconds} ms while profiled</title>
<style>
text { font: 11px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.heading { font-size: 15px; font-weight: 600; }
rect { stroke: #ffffff; stroke-width: 0.5; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
<text x="12" y="26" class="heading">${escape(title)}: ${milliseconds} ms while profiled</text>
${frames.map(drawFrame).join('\n')}
</svg>
`;
}

function createFrame(name) {
  return { name, time: 0, children: new Map() };
}

function addProfile(tree, { nodes, samples, timeDeltas }) {
  const times = new Map();
  samples.forEach((id, index) => times.set(id, (times.get(id) ?? 0) + Math.max(timeDeltas[index], 0)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const add = (frame, node) => {
    let time = times.get(node.id) ?? 0;
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      const name = nameOf(child.callFrame);
      if (name === '(idle)') continue;
      if (!frame.children.has(name)) frame.children.set(name, createFrame(name));
      time += add(frame.children.get(name), child);
    }
    frame.time += time;
    return time;
  };
  add(tree, nodes[0]);
}

/** Functions of the bundle are known by the file that they are in; short names say nothing more. */
function nameOf({ functionName, url }) {
  const file = url.startsWith('node:') ? url : url.replace(/^.*\//, '');
  return [functionName || '(anonymous)', ...(file === '' ? [] : [file])].join(' · ');
}

function* layOut(frame, { x, scale, level }) {
  const own = frame.time * scale;
  if (own < narrowest || level > deepest) return;
  yield { name: frame.name, x, width: own, level: level - 1 };
  let at = x;
  for (const child of [...frame.children.values()].toSorted((a, b) => b.time - a.time)) {
    yield* layOut(child, { x: at, scale, level: level + 1 });
    at += child.time * scale;
  }
}

function drawFrame({ name, x, width: own, level }) {
  const y = top + level * lineHeight;
  const room = Math.floor((own - 6) / 6);
  const shown = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  const text = own < narrowestText ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escape(shown)}</text>`;
  const rect = `<rect x="${x.toFixed(1)}" y="${y}" width="${own.toFixed(1)}" height="${lineHeight}" fill="${colorOf(name)}">`;
  return `<g><title>${escape(name)}</title>${rect}</rect>${text}</g>`;
}

/** Loading and collecting garbage, Node itself, and kurel. */
function colorOf(name) {
  if (/^\((?:garbage collector|program)\)/.test(name)) return '#d0d7de';
  if (/^(?:Script|compileFunction|loadFile|require|compileForInternalLoader)\b/.test(name)) return '#ffd8b5';
  return name.includes('node:') ? '#c6e6ff' : '#fff3a8';
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
