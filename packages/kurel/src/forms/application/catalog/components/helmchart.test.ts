import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../model/index.ts';
import { readChartObjects } from './helmchart.ts';

function read(text: string) {
  const found: Diagnostic[] = [];
  const objects = readChartObjects({ text, engine: 'fluxcd', report: (diagnostic) => void found.push(diagnostic) });
  return { kinds: objects.map(({ kind }) => kind), messages: found.map(({ message }) => message) };
}

const good = '---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const hooked = (hook: string): string =>
  `---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {helm.sh/hook: "${hook}"}}\n`;

describe('the output of a chart', () => {
  it.each([
    ['a text', 'Thank you!\n', ['document 2 must be a Kubernetes object, got a string']],
    ['half an object', 'kind: A\n', ['document 2 is not a complete Kubernetes object: no apiVersion']],
    ['a number for a kind', 'apiVersion: v1\nkind: 7\n', ['kind is a number']],
    ['broken YAML', 'a: "b\n', ['web/templates/b.yaml']],
    ['a key twice', 'kind: A\nkind: A\n', ['web/templates/b.yaml']],
  ])('is rejected if it contains %s', (_, text, reasons) => {
    const { kinds, messages } = read(`${good}---\n# Source: web/templates/b.yaml\n${text}`);
    expect(kinds).toEqual([]);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages)
      expect(message).toMatch(/^the chart output \(web\/templates\/b\.yaml\) is not a valid manifest: /);
    for (const reason of reasons) expect(messages.join('\n')).toContain(reason);
  });

  it('has no empty documents and no lists', () => {
    const list = '---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n';
    expect(read(`---\n# Source: web/templates/none.yaml\n${good}${list}---\n`)).toEqual({
      kinds: ['ConfigMap', 'Secret'],
      messages: [],
    });
  });

  it.each([
    ['post-delete', 'omitted'],
    [' pre-delete , post-rollback', 'omitted'],
    ['post-install,post-delete', 'applied together'],
    ['pre-upgrade', 'applied together'],
    ['crd-install', 'applied together'],
  ])('reports that a hook for %s is %s', (hook, words) => {
    const { kinds, messages } = read(`${good}${hooked(hook)}`);
    expect(messages).toEqual([expect.stringContaining(words)]);
    expect(kinds).toEqual(words === 'omitted' ? ['ConfigMap'] : ['ConfigMap', 'Secret']);
  });

  it('has no hooks where the annotation is empty', () => {
    expect(read(hooked(' , '))).toEqual({ kinds: ['Secret'], messages: [] });
  });
});
