// An axis of powers of ten, with what marks the height of 1: what explorers/machinery/decades.py tells.
/**
 * @typedef {{ name: string, axis: { clip: string, grid: string, marks: string, ink: string }, along: number, label: string,
 *   ticks: Record<string, { svg: string, spot: number }>, needs: Record<string, string>, level: number, levels: Record<string, string> }} Decades
 */

// Return the parts of an axis between two powers of ten, with a tick at every one of these powers.
/** @param {Chart} chart @param {Decades} decades @param {Limits} limits @param {number[]} powers */
function decadesAs({ axes: [{ box, x, y }] }, { name, axis, along, label, ticks, level, levels }, limits, powers) {
  const place = onPage({ box, x, y }, [0, 1], limits);
  const heights = powers.map((power) => place([0, power])[1]);
  const names = powers.map((power, n) => movedDown(ticks[power].svg, heights[n] - ticks[power].spot));
  const own = { ...y, ...axis, along, named: false, label: [...names, label].join("") };
  const drawn = axisPart({ box, x, y: own }, "y", heights, [], {});
  const by = place([0, 0])[1] - level;
  return { [name]: drawn, ...Object.fromEntries(Object.entries(levels).map(([part, svg]) => [part, movedBy(svg, 0, by)])) };
}

// Return a drawing elsewhere whose places are those of its outermost group.
/** @param {string} svg @param {number} dy */
function movedDown(svg, dy) {
  return svg.replace(/translate\(([-\d.]+) ([-\d.]+)\)/, (_, x, y) => `translate(${x} ${Number((Number(y) + dy).toPrecision(7))})`);
}
