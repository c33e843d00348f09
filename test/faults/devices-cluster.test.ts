// Two instances on one PostgreSQL: one command at a time on a device in the whole cluster, and one of them reads a
// serial line.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requestTicket, watchConsole, watchConsoleAt } from '#test/support/console.ts';
import { deviceOf, openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { handOver } from '#test/support/handover.ts';
import { needs } from '#test/support/needs.ts';
import { operatorResult } from '#test/support/operators.ts';
import { notDurable, startPostgres, type Postgres } from '#test/support/postgres.ts';
import { openTestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

describe('two instances and one server', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;
  before(async () => void (postgres = await startPostgres(notDurable)));
  after(() => postgres[Symbol.asyncDispose]());

  async function openTwo(): Promise<{ first: TestDevice; second: TestDevice } & AsyncDisposable> {
    const database = await postgres.createStoreDatabase();
    const first = await openDevice({ database });
    const second = deviceOf(await openTestApp({ database, firstInstance: first.app, worksOffJobs: true }));
    return {
      first,
      second,
      async [Symbol.asyncDispose]() {
        await second[Symbol.asyncDispose]();
        await first[Symbol.asyncDispose]();
      },
    };
  }

  it('run one command at a time: the second waits, or learns what is running', async () => {
    await using nodes = await openTwo();
    const { first, second } = nodes;
    const cycling = first.v2('POST', 'power', { action: 'cycle' });
    await until(() => first.bmc.chassis.power === 'off');
    assertResult(await second.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assertResult(await cycling, 'Chassis Power Control: Cycle');
    assert.deepEqual([first.bmc.chassis.counts.off, first.bmc.chassis.counts.on], [2, 1]);
    first.bmc.setMalfunctions({ isSilent: true });
    const hanging = first.legacy('/ipmi/user', { username: 'anna', action: 'createUser' });
    await until(async () => (await locks(first)) > 0);
    const busy = assertRejected(await second.v2('POST', 'power', { action: 'on' }), 409, 'device_busy');
    assert.equal(busy, 'The device is busy: the creation of an IPMI user is running. Try again when it has finished.');
    assertRejected(await hanging, 504);
  });

  it('emit one event for a change, whichever of them sees it', async () => {
    await using nodes = await openTwo();
    const { first, second } = nodes;
    assertResult(await first.v2('GET', 'power'), 'on');
    first.bmc.chassis.turnOff();
    await Promise.all([
      first.v2('GET', 'power'),
      second.v2('GET', 'power'),
      first.v2('GET', 'power'),
      second.v2('GET', 'power'),
    ]);
    assert.deepEqual(await first.powerEvents(), [{ state: 'off', source: 'query' }]);
  });

  it('hand over a serial line to the one that has a viewer, with the earlier output', async () => {
    await using nodes = await openTwo();
    const { first, second } = nodes;
    first.app.parts.serialLines.start();
    await until(() => first.bmc.hasConsole());
    first.bmc.serial.print('seen by the first node\r\n');
    second.app.parts.serialLines.start();
    await using viewer = await watchConsoleAt(second.app.url, (await requestTicket(first)).url);
    await viewer.shows('seen by the first node');
    first.bmc.serial.print('seen by the second\r\n');
    await viewer.shows('seen by the second');
    // The reset goes through the other instance.
    assertResult(await first.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console session has ended.' });
  });

  it('show the next customer of the server nothing of the former one, whichever of them held the serial line', async () => {
    await using nodes = await openTwo();
    const { first, second } = nodes;
    first.app.parts.serialLines.start();
    await until(() => first.bmc.hasConsole());
    await using former = await watchConsole(first);
    first.bmc.serial.print('the former password\r\n');
    await former.shows('the former password');
    second.app.parts.serialLines.start();
    const next = await handOver(first);
    await using viewer = await watchConsoleAt(second.app.url, (await requestTicket(next, { key: next.key })).url);
    await former.ended;
    await until(() => {
      first.bmc.serial.print('the next customer\r\n');
      return viewer.text().includes('the next customer');
    });
    assert.ok(!viewer.text().includes('the former password'));
  });

  it('end a console through the other one when staff lock the device', async () => {
    await using nodes = await openTwo();
    const { first, second } = nodes;
    await using viewer = await watchConsole(second);
    await operatorResult(first.app, 'POST', 'device/lock', { device: first.server, reason: 'evidence' });
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console session has ended.' });
  });

  async function locks({ app }: TestDevice): Promise<number> {
    return (await app.parts.store.queries.selectFrom('device_locks').selectAll().execute()).length;
  }
});
