// Billing in arrears: traffic by its 95th percentile, and addresses by the day.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addTraffic } from '#equipment/traffic.ts';
import { addAccount } from '#test/support/accounts.ts';
import { firstDay, openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { holdingBegin, holdingEnd } from '#store/network/netblock-holdings.ts';
import { portPut, portsOfService, switchPut } from '#store/network/switches.ts';

const daySeconds = 86_400;

describe('billing in arrears', () => {
  const owned = new AsyncDisposableStack();
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture())));
  after(() => owned.disposeAsync());

  async function linesOf(account: number, type: 'Bandwidth' | 'Address'): Promise<[string, number][]> {
    const rows = await fixture.store.queries
      .selectFrom('invoice_lines')
      .select(['description', 'amount_cents'])
      .where('account_id', '=', account as never)
      .where('type', '=', type)
      .orderBy('id')
      .execute();
    return rows.map(({ description, amount_cents }) => [description, amount_cents]);
  }

  it('charges traffic above the commitment, with the fingerprint of its samples', async () => {
    const { queries } = fixture.store;
    const account = await addAccount(fixture.store, 1);
    fixture.setDay(firstDay);
    await fixture.addService(account, 1);
    await fixture.setTerms(account, 1, { committed_mbits: 10, mbit_price_cents: 150 }, { billDay: 1 });
    await switchPut(queries, { name: 'sw', driver: 'snmp', settings: '' });
    await portPut(queries, { switch: 'sw', if_index: 1, service_id: 1 });
    const [port] = await portsOfService(queries, account, 1);
    // One sample in ten is at 20.5 Mbit/s and the others at 1, so the 95th percentile is 20.5.
    const samples = Array.from({ length: 31 * 288 }, (_, index) => ({
      start: firstDay * daySeconds + index * 300,
      inBytes: index % 10 === 0 ? (20_500_000 * 300) / 8 : (1_000_000 * 300) / 8,
      outBytes: 0,
      marks: 0,
    }));
    await addTraffic(queries, port!.id, samples);
    await fixture.billAll();
    assert.deepEqual(await linesOf(1, 'Bandwidth'), []);
    fixture.setDay(firstDay + 31);
    await fixture.billAll();
    await fixture.billAll();
    const lines = samples.map(({ start, inBytes, outBytes }) => `${start},${inBytes},${outBytes},0\n`);
    const fingerprint = createHash('sha256').update(lines.join('')).digest('hex').slice(0, 32);
    assert.deepEqual(await linesOf(1, 'Bandwidth'), [
      [
        `Plain (s1.example.net), 2026-01-01 to 2026-01-31: 95th percentile 20.50 Mbit/s of 8928 samples (${fingerprint}), 10.50 above 10 at 1.50`,
        1575,
      ],
    ]);
  });

  it('charges addresses beyond those of the plan, as many as were held at the end of each day', async () => {
    const { queries } = fixture.store;
    const account = await addAccount(fixture.store, 2);
    fixture.setDay(firstDay);
    await fixture.addService(account, 2);
    await fixture.setTerms(account, 2, { addresses_included: 1, address_price_cents: 310 }, { billDay: 1 });
    const held = (cidr: string) => ({ cidr, first: cidr, last: cidr, account_id: account, service_id: 2 });
    const at = (day: number): number => (firstDay + day) * daySeconds * 1000 + 1000;
    await holdingBegin(queries, held('203.0.113.2/32'), at(0));
    await holdingBegin(queries, held('198.51.100.0/30'), at(10));
    await holdingEnd(queries, '198.51.100.0/30', at(20));
    await holdingBegin(queries, held('2001:db8::/64'), at(0));
    await fixture.billAll();
    fixture.setDay(firstDay + 31);
    await fixture.billAll();
    assert.deepEqual(await linesOf(2, 'Address'), [
      ['Plain (s2.example.net), 2026-01-11 to 2026-01-20: 4 addresses above 1 at 3.10, 10 of 31 days at 12.40', 400],
    ]);
  });
});
