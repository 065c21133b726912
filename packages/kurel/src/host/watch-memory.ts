import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What helm, kustomize and git may use, each with all it has started. */
export const usualMemory = 1024 * 1024 * 1024;

const milliseconds = 20;
const mostProcesses = 1000;

/**
 * Calls once when a process, with all it has started, uses more memory than it may. There is no limit that every system lets a
 * parent set on a child without a shell, so the memory is looked at again and again, which only Linux allows. Gives how to stop.
 */
export function watchMemory({ pid }: ChildProcess, maxBytes: number, onExceeded: () => void): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => undefined;
  const timer = setInterval(() => {
    if (memoryOf(pid) <= maxBytes) return;
    clearInterval(timer);
    onExceeded();
  }, milliseconds);
  return () => clearInterval(timer);
}

/** Bytes that are not parts of files: packs of git are mapped, and cost nothing that the system could not take back. */
function memoryOf(pid: number): number {
  let sum = 0;
  const waiting = [String(pid)];
  for (let count = 0; waiting.length > 0 && count < mostProcesses; count += 1) {
    const one = waiting.pop()!;
    sum += 1024 * Number(/^RssAnon:\s*(\d+) kB$/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0);
    for (const child of read(`/proc/${one}/task/${one}/children`).split(' ')) if (child !== '') waiting.push(child);
  }
  return sum;
}

/** A process that has ended has no memory. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
