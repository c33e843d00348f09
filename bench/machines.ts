// Machines of customers: 100 ordered through the API on 5 lab hypervisors until all of them run, and a page of an account's machines
// with 10 and with 10,000 of them, which must cost the same.
//
//   node bench/machines.ts
import { printFigure } from './support/figures.ts';
import { measureMachinePageMs, measureOrders } from './support/machine-orders.ts';

const [few, many] = [10, 10_000];
const target = 2;

const { totalMs, spread } = await measureOrders(100, 5);
printFigure(
  '100 machines ordered on 5 lab hypervisors until all run',
  `${(totalMs / 1000).toFixed(1)} s, ${spread.join(' + ')}`,
  '<= 60 s, 20 on each',
  totalMs < 60_000 && spread.every((count) => count === 20),
);
const [smallMs, largeMs] = [await measureMachinePageMs(few), await measureMachinePageMs(many)];
const ratio = largeMs / smallMs;
printFigure(
  `10 machines listed out of ${many} (${smallMs.toFixed(2)} → ${largeMs.toFixed(2)} ms)`,
  ratio.toFixed(2),
  `<= ${target}`,
  ratio <= target,
  `out of ${few}`,
);
