// Snapshots of virtual machines: the cost of listing and recording those of one machine, with 10 and with 10,000 machines that have
// five each. Both must stay flat.
//
//   node bench/snapshots.ts
import { printFigure } from './support/figures.ts';
import { measureSnapshots } from './support/snapshot-list.ts';

const [few, many] = [10, 10_000];
const target = 2;

const small = await measureSnapshots(few);
const large = await measureSnapshots(many);
for (const [name, figure] of [
  ['listed', 'listMs'],
  ['recorded and removed', 'takeMs'],
] as const) {
  const ratio = large[figure] / small[figure];
  const times = `${small[figure].toFixed(2)} → ${large[figure].toFixed(2)} ms`;
  const label = `snapshots ${name} with ${many} machines (${times})`;
  printFigure(label, ratio.toFixed(2), `<= ${target}`, ratio <= target, `${few} machines`);
}
