// Two nodes on one PostgreSQL: one command at a time on a device in the whole cluster, and one of them listens to a line.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ticketOf, watchAt } from '#test/support/console.ts';
import { deviceOf, openDevice, refused, succeeds, type TestDevice } from '#test/support/devices.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { openTestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

describe('two nodes and one server', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());

  async function openTwo(): Promise<{ one: TestDevice; two: TestDevice } & AsyncDisposable> {
    const database = await postgres.createDatabase();
    const one = await openDevice({ database });
    const two = deviceOf(await openTestYard({ database, beside: one.yard, worksOffJobs: true }));
    return {
      one,
      two,
      async [Symbol.asyncDispose]() {
        await two[Symbol.asyncDispose]();
        await one[Symbol.asyncDispose]();
      },
    };
  }

  it('run one command at a time: the second waits, or is told what is running', async () => {
    await using nodes = await openTwo();
    const { one, two } = nodes;
    const cycling = one.v2('POST', 'power', { action: 'cycle' });
    await until(() => one.bmc.chassis.power === 'off');
    succeeds(await two.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    succeeds(await cycling, 'Chassis Power Control: Cycle');
    assert.deepEqual([one.bmc.chassis.counts.off, one.bmc.chassis.counts.on], [2, 1]);
    one.bmc.setFaults({ isSilent: true });
    const hanging = one.legacy('/ipmi/user', { username: 'anna', action: 'createUser' });
    await until(async () => (await locks(one)) > 0);
    const busy = refused(await two.v2('POST', 'power', { action: 'on' }), 409, 'device_busy');
    assert.equal(busy, 'The device is busy: making a controller user is running.');
    refused(await hanging, 504);
  });

  it('tell of a change once, whichever of them sees it', async () => {
    await using nodes = await openTwo();
    const { one, two } = nodes;
    succeeds(await one.v2('GET', 'power'), 'on');
    one.bmc.chassis.turnOff();
    await Promise.all([one.v2('GET', 'power'), two.v2('GET', 'power'), one.v2('GET', 'power'), two.v2('GET', 'power')]);
    assert.deepEqual(await one.powerEvents(), [{ state: 'off', source: 'query' }]);
  });

  it('hand over a line to the one that has a viewer, with what was printed before', async () => {
    await using nodes = await openTwo();
    const { one, two } = nodes;
    one.yard.parts.serialLines.start();
    await until(() => one.bmc.hasConsole());
    one.bmc.serial.print('seen by the first node\r\n');
    two.yard.parts.serialLines.start();
    await using viewer = await watchAt(two.yard.url, (await ticketOf(one)).url);
    await viewer.shows('seen by the first node');
    one.bmc.serial.print('seen by the second\r\n');
    await viewer.shows('seen by the second');
    // The reset goes through the other node.
    succeeds(await one.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console is over.' });
  });

  async function locks({ yard }: TestDevice): Promise<number> {
    return (await yard.parts.store.queries.selectFrom('device_locks').selectAll().execute()).length;
  }
});
