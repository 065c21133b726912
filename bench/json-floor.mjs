// node bench/json-floor.mjs FILE: reads and writes the JSON of a file once, and says on standard error what these two calls took.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8');
const before = process.cpuUsage();
const started = performance.now();
const written = JSON.stringify(JSON.parse(text));
const seconds = (performance.now() - started) / 1000;
const user = process.cpuUsage(before).user / 1e6;
if (written.length !== text.length) throw new Error('JSON.stringify gives another text than it was given');
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stderr.write(JSON.stringify({ seconds, user, megabytes }));
