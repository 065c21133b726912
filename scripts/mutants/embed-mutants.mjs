/**
 * The source with all its mutants, each guarded by a switch, so that tests can try them without importing everything again. In a mutant's
 * unit `globalThis.isMutant(number)` decides; `entry` mutants return at the start of a function.
 */
export function embedMutants(source, mutants) {
  const units = new Map();
  for (const mutant of mutants) {
    const { kind, end, number, unit } = mutant;
    if (kind === 'entry') {
      const text = `if(globalThis.isMutant(${number}))return undefined;`;
      units.set(`entry ${number}`, { start: end, end, text });
    } else if (unit !== undefined) {
      const key = `${unit.start}-${unit.end}`;
      units.set(key, { ...unit, own: [...(units.get(key)?.own ?? []), mutant] });
    }
  }
  return render(
    { start: 0, end: source.length },
    [...units.values()].toSorted((a, b) => a.start - b.start || b.end - a.end),
  );

  function render({ start, end }, nested) {
    let written = '';
    let position = start;
    for (const unit of nested) {
      if (unit.start < position) continue;
      written += source.slice(position, unit.start) + (unit.text ?? renderUnit(unit, nested));
      position = unit.end;
    }
    return written + source.slice(position, end);
  }

  function renderUnit(unit, nested) {
    const inner = nested.filter((other) => other !== unit && other.start >= unit.start && other.end <= unit.end);
    const original = render(unit, inner);
    const variants = unit.own.map(({ number, start, end, text }) => ({
      test: `globalThis.isMutant(${number})`,
      text: source.slice(unit.start, start) + text + source.slice(end, unit.end),
    }));
    return unit.isStatement
      ? `{${variants.map(({ test, text }) => `if(${test}){${text}}else `).join('')}{${original}}}`
      : `(${variants.map(({ test, text }) => `${test}?(${text}):`).join('')}(${original}))`;
  }
}
