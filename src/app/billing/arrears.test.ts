// Billing in arrears: traffic by its 95th percentile, and addresses by the day.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { addTraffic } from '#equipment/traffic.ts';
import { firstDay, openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { holdingBegin, holdingEnd } from '#store/network/netblock-holdings.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import { portsOfService, portsPut, switchPut } from '#store/network/switches.ts';

const daySeconds = 86_400;

describe('billing in arrears', () => {
  const owned = suiteResources();
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture())));

  it('charges traffic above the commitment, with the fingerprint of its samples', async () => {
    const { queries } = fixture.store;
    fixture.setDay(firstDay);
    const { account, service } = await fixture.newAccount();
    await fixture.setTerms(account, service, { committed_mbits: 10, mbit_price_cents: 150 }, { billDay: 1 });
    await switchPut(queries, { name: 'sw', driver: 'snmp', settings: '' });
    const cable = { switch: 'sw', if_index: 1, server: null, key_by: null, key: null };
    await portsPut(queries, [{ ...cable, service_id: service }]);
    await portHoldingsSync(queries, 0);
    const [port] = await portsOfService(queries, account, service);
    // One sample in ten is at 20.5 Mbit/s and the others at 1, so the 95th percentile is 20.5.
    const samples = Array.from({ length: 31 * 288 }, (_, index) => ({
      start: firstDay * daySeconds + index * 300,
      inBytes: index % 10 === 0 ? (20_500_000 * 300) / 8 : (1_000_000 * 300) / 8,
      outBytes: 0,
      marks: 0,
    }));
    await addTraffic(queries, port!.id, samples);
    await fixture.billAll();
    assert.deepEqual(await fixture.lines(account, 'Bandwidth'), []);
    fixture.setDay(firstDay + 31);
    // A terminated service has given its port back, and owes for the time before.
    await portsPut(queries, [{ ...cable, service_id: null }]);
    await portHoldingsSync(queries, (firstDay + 31) * daySeconds * 1000);
    await fixture.billAll();
    await fixture.billAll();
    const lines = samples.map(({ start, inBytes, outBytes }) => `${start},${outBytes},${inBytes},0\n`);
    const fingerprint = createHash('sha256').update(lines.join('')).digest('hex').slice(0, 32);
    assert.deepEqual(await fixture.lines(account, 'Bandwidth'), [
      [
        `Plain (s1.example.net), 2026-01-01 to 2026-01-31: 95th percentile 20.50 Mbit/s of 8928 samples (${fingerprint}), 10.50 above 10 at 1.50`,
        1575,
      ],
    ]);
  });

  it('charges addresses beyond those of the plan, as many as were held at the end of each day', async () => {
    const { queries } = fixture.store;
    fixture.setDay(firstDay);
    const { account, service } = await fixture.newAccount();
    await fixture.setTerms(account, service, { addresses_included: 1, address_price_cents: 310 }, { billDay: 1 });
    const blockOf = (cidr: string) => ({ cidr, first: cidr, last: cidr, account_id: account, service_id: service });
    const at = (day: number): number => (firstDay + day) * daySeconds * 1000 + 1000;
    await holdingBegin(queries, blockOf('203.0.113.2/32'), at(0));
    await holdingBegin(queries, blockOf('198.51.100.0/30'), at(10));
    await holdingEnd(queries, '198.51.100.0/30', at(20));
    await holdingBegin(queries, blockOf('2001:db8::/64'), at(0));
    await fixture.billAll();
    fixture.setDay(firstDay + 31);
    await fixture.billAll();
    assert.deepEqual(await fixture.lines(account, 'Address'), [
      ['Plain (s2.example.net), 2026-01-11 to 2026-01-20: 4 addresses above 1 at 3.10, 10 of 31 days at 12.40', 400],
    ]);
  });
});
