// Addresses as a customer asks for them, on both engines: none is given twice, and who held one when is known.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addressHolder } from '#app/network/address-holder.ts';
import { applySite } from '#app/site/apply.ts';
import { applyTold } from '#app/site/report.ts';
import type { Site } from '#contract/site.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { networkRange } from '#kernel/address-ranges.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { netblockAssign } from '#store/network/netblocks.ts';
import type { AccountId } from '#store/tables.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { needs } from '#test/support/needs.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Given {
  requestid: string;
  status: string;
  netblock: string;
}
const dayMs = 86_400_000;
const asking = async (calls: NetworkCalls, type: string, size: string): Promise<Given> => {
  const answer = await calls.legacy('/network/request', { type, size });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.result as Given;
};
const rangeOf = (cidr: string) => networkRange(parseNetwork(cidr)!);

/** The lab's blocks with these pools in the place of its own. */
const withPools = ({ site }: TestYard, pools: NonNullable<Site['netblocks']>): Site => ({
  ...site,
  netblocks: [...site.netblocks!.filter(({ pool }) => pool === undefined), ...pools],
});

for (const { engine, suite, start } of engines) {
  const options = suite.skip === undefined ? needs('dig') : suite;
  describe(`addresses on request on ${engine}`, options, () => {
    let owned: AsyncDisposableStack;
    let fresh: (pools?: NonNullable<Site['netblocks']>) => Promise<{ yard: TestYard; calls: NetworkCalls }>;
    before(async () => {
      owned = new AsyncDisposableStack();
      const databases = owned.use(await start());
      fresh = async (pools) => {
        const yard = owned.use(await openTestYard(await databases.newDatabase()));
        if (pools !== undefined) await applyTold(yard.parts, withPools(yard, pools), 'used');
        return { yard, calls: networkCalls(yard) };
      };
    });
    after(() => owned.disposeAsync());

    it('are assigned at once, listed by family, named, and told', async () => {
      const { yard, calls } = await fresh();
      const four = await asking(calls, 'ipv4', '/29');
      assert.deepEqual({ ...four, requestid: '' }, { requestid: '', status: 'Assigned', netblock: '198.18.4.0/29' });
      assert.match(four.requestid, /^[0-9]+$/);
      const six = await asking(calls, 'ipv6', '/64');
      assert.equal(six.netblock, '2001:db8:2::/64');
      assert.equal((await asking(calls, 'ipv4', '/26')).netblock, '198.18.4.64/26');
      assert.equal((await asking(calls, 'ipv4', '/30')).netblock, '198.18.4.8/30');

      const name = { ip: '198.18.4.1', record: 'asked.example.net' };
      succeeds(await calls.v2('PUT', '/v2/dns/reverse', name), 'Record Updated');
      const sixth = { ip: '2001:db8:2::5', record: 'asked6.example.net' };
      succeeds(await calls.v2('PUT', '/v2/dns/reverse', sixth), 'Record Updated');
      assert.deepEqual(await dig(yard.dns, '1.4.18.198.in-addr.arpa', 'PTR'), ['asked.example.net']);
      const v2 = (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as Record<string, string>;
      const legacyFour = (await calls.legacy('/network/netblock', { type: 'ipv4' })).body.result;
      const legacySix = (await calls.legacy('/network/netblock', { type: 'ipv6' })).body.result;
      assert.deepEqual({ ...(legacyFour as object), ...(legacySix as object) }, v2);
      assert.deepEqual([v2['198.18.4.1'], v2['198.18.4.2']], ['asked.example.net', 'No Record Found']);
      assert.deepEqual(legacySix, { '2001:db8:2::5': 'asked6.example.net' });
      assert.equal(Object.keys(legacyFour as object).length, 1 + 8 + 8 + 64 + 4);

      const told = await calls.events('network.netblock.assigned');
      assert.deepEqual(told[0]!.data, { netblock: '198.18.4.0/29' });
      assert.deepEqual([told.length, told[0]!.service], [4, '1001']);
    });

    it('are never given twice, in 1,000 requests at once', async () => {
      const { yard, calls } = await fresh([{ cidr: '198.18.16.0/20', pool: 'assign' }]);
      const given: string[] = [];
      let left = 1000;
      const lane = async (): Promise<void> => {
        while (left-- > 0) given.push((await asking(calls, 'ipv4', '/30')).netblock);
      };
      await Promise.all(Array.from({ length: 50 }, lane));
      const ranges = given.map(rangeOf).toSorted((one, other) => (one.first < other.first ? -1 : 1));
      assert.equal(ranges.length, 1000);
      for (const [index, { first }] of ranges.entries())
        assert.ok(index === 0 || ranges[index - 1]!.last < first, first);
      assert.equal((await asking(calls, 'ipv4', '/26')).netblock, '198.18.31.192/26');
      const told = refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/26' }), 422);
      assert.equal(told, 'There is no free ipv4 block of that size; the largest that is free is a /27.');
      // Whatever the program thinks is free, the database refuses.
      const taken = { cidr: '198.18.16.0/29', ...rangeOf('198.18.16.0/29'), account_id: 1 as AccountId };
      const assigning = yard.parts.store.transaction((queries) =>
        netblockAssign(queries, { ...taken, service_id: 1001 }, [taken.first]),
      );
      await assert.rejects(assigning, /unique/i);
    });

    it('are refused where they make no sense or nothing is left', async () => {
      const { calls } = await fresh([{ cidr: '198.18.4.0/29', pool: 'assign' }]);
      refused(await calls.legacy('/network/request', { type: 'ipv6', size: '/24' }), 400);
      refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/64' }), 400);
      refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/31' }), 400);
      refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/30', server: 'dc01r02ds01' }), 404);
      const none = refused(await calls.legacy('/network/request', { type: 'ipv6', size: '/64' }), 422);
      assert.equal(none, 'There is no free ipv6 block of that size; nothing is free.');
      refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/29' }), 422);
      await asking(calls, 'ipv4', '/30');
      await asking(calls, 'ipv4', '/30');
      const full = refused(await calls.legacy('/network/request', { type: 'ipv4', size: '/30' }), 422);
      assert.match(full, /nothing is free/);
    });

    it('wait for the operator where the pool says so, and leave alone what was set aside', async () => {
      const { yard, calls } = await fresh([{ cidr: '198.18.4.0/24', pool: 'ask' }]);
      const asked = await asking(calls, 'ipv4', '/29');
      assert.deepEqual([asked.status, asked.netblock], ['Pending', '']);
      assert.deepEqual(await calls.events('network.netblock.assigned'), []);
      await applySite(
        yard.parts,
        withPools(yard, [
          { cidr: '198.18.4.0/24', pool: 'ask' },
          { cidr: '198.18.8.0/24', pool: 'assign' },
          { cidr: '198.18.8.0/28' },
        ]),
      );
      assert.equal((await asking(calls, 'ipv4', '/29')).netblock, '198.18.8.16/29');
    });

    it('stay whatever is applied, rest for 30 days once given back, and lead to whoever held them', async () => {
      const { yard, calls } = await fresh();
      const began = yard.parts.clock.now();
      const { netblock } = await asking(calls, 'ipv4', '/24');
      await calls.v2('PUT', '/v2/dns/reverse', { ip: '198.18.4.9', record: 'held.example.net' });
      await applySite(yard.parts, yard.site);
      const listed = async () => (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as object;
      assert.ok('198.18.4.9' in (await listed()));

      const overlapping = withPools(yard, [
        { cidr: '198.18.4.0/22', pool: 'assign' },
        { cidr: '198.18.4.0/25', service: 1002 },
      ]);
      await assert.rejects(applySite(yard.parts, overlapping), /service 1001 got 198\.18\.4\.0\/24 on request/);

      yard.pass(dayMs);
      const withStatus = (status: 'Terminated' | 'Active') =>
        yard.site.services!.map((each) => (each.id === 1001 ? { ...each, status } : each));
      await applySite(yard.parts, { ...yard.site, services: withStatus('Terminated') });
      await applySite(yard.parts, { ...yard.site, services: withStatus('Active') });
      assert.ok(!('198.18.4.9' in (await listed())));
      assert.notEqual((await asking(calls, 'ipv4', '/24')).netblock, netblock);
      yard.pass(29 * dayMs);
      assert.notEqual((await asking(calls, 'ipv4', '/24')).netblock, netblock);
      yard.pass(2 * dayMs);
      const again = await calls.legacy('/network/request', { type: 'ipv4', size: '/24', server: 'dc01r01ds02-01' });
      assert.equal((again.body.result as Given).netblock, netblock);

      const at = (moment: number) => addressHolder(yard.parts, '198.18.4.9', new Date(moment).toISOString());
      assert.match(await at(began - 1000), /^Nobody held 198\.18\.4\.9 at /);
      assert.match(await at(began + dayMs / 2), /^account 1, service 1001, in 198\.18\.4\.0\/24, from .* until 20/);
      assert.match(await at(began + 10 * dayMs), /^Nobody/);
      const now = await addressHolder(yard.parts, '198.18.4.9', undefined);
      assert.match(now, /^account 1, service 1002, in 198\.18\.4\.0\/24, from .* until now$/);
      await assert.rejects(addressHolder(yard.parts, '198.18.4.900', undefined), /is no address/);
      await assert.rejects(addressHolder(yard.parts, '198.18.4.9', 'yesterday'), /is no date/);
    });
  });
}
