// How much slower an honest customer's calls become while another customer attacks, in every way that was expensive once:
// the 99th percentile of the honest customer's calls under attack, divided by the quiet one measured right before it in
// the same run. Both customers have ordinary keys, and each is a separate process.
//
//   node bench/hostile.ts [ATTACK …]     only those whose names contain one of the words
import { attackNames } from '../test/support/hostile-caller.ts';
import { createHostileFixture, hostileOptions } from '../test/support/hostile.ts';
import { openTestApp } from '../test/support/app.ts';
import { printFigure } from './support/figures.ts';
import { cores } from './support/load.ts';

const limit = 3;
const warmUpSeconds = 3;
const seconds = 15;
const words = process.argv.slice(2);

await using app = await openTestApp(hostileOptions);
// All share the machine's cores. The honest caller never waits for one, and attackers get what the server leaves, as if
// they were on other machines.
const onOtherCore = ['taskset', '--cpu-list', String(cores.other)];
const fixture = await createHostileFixture(app, {
  through: { honest: ['chrt', '--fifo', '1', ...onOtherCore], hostile: ['nice', '-n', '10', ...onOtherCore] },
});
await fixture.callHonestly(warmUpSeconds);
for (const name of attackNames.filter((each) => words.length === 0 || words.some((word) => each.includes(word)))) {
  const quiet = await fixture.callHonestly(seconds);
  const attack = fixture.attack(name, seconds, 0);
  const [attacker, attacked] = await Promise.all([attack, fixture.callHonestly(seconds, attack)]);
  for (const wrong of [...quiet.wrong, ...attacked.wrong]) throw new Error(`the honest customer got ${wrong}`);
  const [before, during] = [percentile99(quiet.latenciesMs), percentile99(attacked.latenciesMs)];
  const ratio = during / before;
  const times = `${before.toFixed(1)} → ${during.toFixed(1)} ms`;
  printFigure(`${name} (${times})`, ratio.toFixed(2), `< ${limit}`, ratio < limit, 'without the attack');
  console.log(`  the attacker's calls: ${JSON.stringify(attacker.outcomes)}`);
}
process.exit();

function percentile99(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.99)]!;
}
