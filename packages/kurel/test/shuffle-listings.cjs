// Loaded before the program: directories are listed in an order that changes with SHUFFLE_SEED, as they may be on another disk.
'use strict';
const fs = require('node:fs');

const { readdirSync } = fs;
let state = Number(process.env.SHUFFLE_SEED);

fs.readdirSync = function shuffledReaddirSync(...args) {
  const entries = readdirSync.apply(this, args);
  for (let index = entries.length - 1; index > 0; index -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (index + 1);
    [entries[index], entries[other]] = [entries[other], entries[index]];
  }
  if (process.env.SHUFFLE_LOG) fs.appendFileSync(process.env.SHUFFLE_LOG, `${entries.map(nameOf).join(' ')}\n`);
  return entries;
};

function nameOf(entry) {
  return typeof entry === 'string' ? entry : entry.name;
}
