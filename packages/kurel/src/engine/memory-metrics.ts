import { getOrAdd } from '../budget/index.ts';
import type { MetricsSink } from '../model/index.ts';

export interface RenderSummary {
  readonly renders: number;
  readonly objects: number;
  readonly totalMs: number;
  readonly averageMs: number;
  readonly averageObjects: number;
}

export interface RendererSummary extends Omit<RenderSummary, 'renders'> {
  readonly runs: number;
  readonly failures: number;
}

interface Totals {
  count: number;
  failures: number;
  objects: number;
  totalMs: number;
}

/** Collects the metrics of any number of renders. */
export class MemoryMetrics implements MetricsSink {
  readonly now: () => number;
  readonly #renders = emptyTotals();
  readonly #renderers = new Map<string, Totals>();

  constructor(options: { readonly now: () => number }) {
    this.now = options.now;
  }

  onRender(event: Parameters<NonNullable<MetricsSink['onRender']>>[0]): void {
    addTo(this.#renders, event);
  }

  onRenderer(event: Parameters<NonNullable<MetricsSink['onRenderer']>>[0]): void {
    const totals = getOrAdd(this.#renderers, event.renderer, emptyTotals);
    addTo(totals, event);
    if ('error' in event) totals.failures += 1;
  }

  summary(): RenderSummary {
    const { count, objects, totalMs } = this.#renders;
    return { renders: count, objects, totalMs, ...averagesOf(this.#renders) };
  }

  renderers(): Readonly<Record<string, RendererSummary>> {
    return Object.fromEntries(
      Array.from(this.#renderers, ([name, totals]) => {
        const { count, failures, objects, totalMs } = totals;
        return [name, { runs: count, failures, objects, totalMs, ...averagesOf(totals) }];
      }),
    );
  }
}

function emptyTotals(): Totals {
  return { count: 0, failures: 0, objects: 0, totalMs: 0 };
}

function addTo(totals: Totals, event: { readonly durationMs: number; readonly objects: number }): void {
  totals.count += 1;
  totals.objects += event.objects;
  totals.totalMs += event.durationMs;
}

function averagesOf({ count, objects, totalMs }: Totals): Pick<RenderSummary, 'averageMs' | 'averageObjects'> {
  return count === 0
    ? { averageMs: 0, averageObjects: 0 }
    : { averageMs: totalMs / count, averageObjects: objects / count };
}
