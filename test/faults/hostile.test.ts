// A hostile customer attacks from a separate process, in every way that was expensive once, while an honest one works.
// Every call of the honest customer gets its right answer, the attacker is limited, and nothing of anybody else changes.
// bench/hostile.ts measures how much slower the honest customer's calls become.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { attackNames, attacksInLongRuns, type AttackName, type CallerCounts } from '#test/support/hostile-caller.ts';
import { createHostileFixture, hostileOptions, type HostileFixture } from '#test/support/hostile.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { request } from '#test/support/request.ts';
import { changedTables, digestTables, type TableDigests } from '#test/support/table-digests.ts';

const seconds = 1;
/** More than the attacker's keys allow together, however slow the machine is. */
const calls = 120;
const limits = { rate: 5, burst: 20 };
/** Tables that the honest customer changes. */
const ownWork = new Set(['events', 'records', 'zones', 'zone_versions']);
const mostGrowthBytes = 50 * 2 ** 20;

/** Attacks that are cheap enough to be served, or end with the time limit of a request. */
const unlimited = new Set<AttackName>(['the reference without compression', 'requests that never end']);

describe('while a customer attacks with', () => {
  let app: TestApp;
  let fixture: HostileFixture;
  let startBytes: number;
  let untouched: TableDigests;
  before(async () => {
    app = await openTestApp(hostileOptions);
    fixture = await createHostileFixture(app, { limits });
    await fixture.callHonestly(0.2);
    startBytes = usedBytes();
    untouched = await digestTables(app.parts, isHonest);
  });
  after(() => app[Symbol.asyncDispose]());
  const isHonest = (row: Record<string, unknown>): boolean => String(row['account_id']) === app.lab.customer.account;

  for (const name of attackNames.filter((attack) => isLongRun || !attacksInLongRuns.has(attack)))
    test(`${name}, an honest one gets all answers`, async (t) => {
      const attack = fixture.attack(name, seconds, calls);
      const [attacker, honest] = await Promise.all([attack, fixture.callHonestly(seconds, attack)]);
      t.diagnostic(`attacker ${JSON.stringify(attacker.outcomes)}, honest ${JSON.stringify(honest.outcomes)}`);
      assert.deepEqual(honest.wrong, []);
      assert.ok(honest.latenciesMs.length >= 5, 'too few calls');
      assert.ok(total(attacker) >= calls, 'the attack did not happen');
      assert.equal(attacker.outcomes['500'], undefined, 'the attacker caused an internal error');
      if (!unlimited.has(name)) assert.ok(rejected(attacker) > 0, 'the attacker was not limited');
      assert.equal((await request(app, 'GET', '/readyz')).status, 200);
    });

  test('all of these, nothing of the honest one changes but what it changed itself', async () => {
    const changed = changedTables(untouched, await digestTables(app.parts, isHonest));
    assert.deepEqual(
      changed.filter((table) => !ownWork.has(table)),
      [],
    );
  });

  test('all of these, memory stays bounded', () => {
    const growth = usedBytes() - startBytes;
    assert.ok(growth < mostGrowthBytes, `${Math.round(growth / 2 ** 20)} MB more`);
  });
});

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function total({ outcomes }: CallerCounts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** Counts what a limit rejected. */
function rejected({ outcomes }: CallerCounts): number {
  return ['truncated', '409', '422', '429'].reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
}
