// Notices at 80 and 100 % of the committed rate: once per month each, whoever looks and however often.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addTraffic } from '#equipment/traffic.ts';
import { firstDay, openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import type { AccountId } from '#store/account-id.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import { portsOfService, portsPut, switchPut } from '#store/network/switches.ts';
import { giveBandwidthNotices } from './bandwidth-notices.ts';

const daySeconds = 86_400;
const { signal } = new AbortController();

describe('notices about bandwidth', () => {
  const owned = suiteResources();
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture())));

  let ports = 0;
  async function newService(committed_mbits: number) {
    const { queries } = fixture.store;
    fixture.setDay(firstDay);
    const { account, service } = await fixture.newAccount();
    await fixture.setTerms(account, service, { committed_mbits, mbit_price_cents: 150 });
    await switchPut(queries, { name: 'sw', driver: 'snmp', settings: '' });
    const cable = { switch: 'sw', server: null, key_by: null, key: null };
    await portsPut(queries, [{ ...cable, if_index: ++ports, service_id: service }]);
    await portHoldingsSync(queries, 0);
    const [port] = await portsOfService(queries, account, service);
    /** Adds traffic at a rate in Mbit/s from one day of the month until another. */
    const addDays = (from: number, until: number, mbits: number) =>
      addTraffic(
        queries,
        port!.id,
        Array.from({ length: (until - from) * 288 }, (_, index) => ({
          start: (firstDay + from) * daySeconds + index * 300,
          inBytes: 0,
          outBytes: (mbits * 1_000_000 * 300) / 8,
          marks: 0,
        })),
      );
    return { account, service, addDays };
  }

  async function look(day: number): Promise<void> {
    fixture.setDay(firstDay + day);
    await giveBandwidthNotices(fixture.parts, signal);
  }
  const noticesOf = async (account: AccountId) => {
    const events = fixture.store.queries.selectFrom('events').select('data').where('account_id', '=', account);
    const rows = await events.where('type', '=', 'network.bandwidth.reached').orderBy('sequence').execute();
    return rows.map(({ data }) => JSON.parse(data) as Record<string, string>);
  };

  it('come at 80 and at 100 %, and once each', async () => {
    const { account, addDays } = await newService(10);
    await addDays(0, 4, 7);
    await look(4);
    assert.deepEqual(await noticesOf(account), []);
    await addDays(4, 8, 8.5);
    await look(8);
    const eighty = { threshold: '80', month: '2026-01', committed: '10', used: '8.5' };
    assert.deepEqual(await noticesOf(account), [eighty]);
    await look(9);
    await addDays(8, 20, 11);
    await Promise.all([look(20), look(20)]);
    await look(21);
    assert.deepEqual(await noticesOf(account), [eighty, { ...eighty, threshold: '100', used: '11' }]);
  });

  it('of 80 % are left out if traffic has reached 100 % already, and start anew in the next month', async () => {
    const { account, addDays } = await newService(10);
    await addDays(0, 6, 12);
    await look(6);
    await addDays(31, 40, 9);
    await look(40);
    const notices = await noticesOf(account);
    assert.deepEqual(
      notices.map(({ month, threshold }) => [month, threshold]),
      [
        ['2026-01', '100'],
        ['2026-02', '80'],
      ],
    );
  });

  it('do not come for some busy hours on the first days, nor without a commitment', async () => {
    const busy = await newService(10);
    await busy.addDays(0, 1, 50);
    const other = await newService(0);
    await other.addDays(0, 6, 50);
    await look(1);
    assert.deepEqual([await noticesOf(busy.account), await noticesOf(other.account)], [[], []]);
  });
});
