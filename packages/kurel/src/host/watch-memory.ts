import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The default limit for helm, kustomize and git, each with its children. */
export const usualMemory = 1024 * 1024 * 1024;

const milliseconds = 20;
const mostProcesses = 1000;

/**
 * Calls `onExceeded` once when a process and its children use too much memory. Polls /proc, and so works only on Linux: Node cannot set a
 * memory limit for a child without a shell. Call the result to stop.
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

/** Anonymous memory only: git maps its packs, and the system can reclaim that memory. */
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

/** Empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
