// Keys of signed zones over time: a rollover, which NSD, Knot and a validating resolver follow, disabling, and new
// signatures.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { refreshSignatures } from '#app/dns/dnssec-zones.ts';
import { applySite } from '#app/site/apply.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { startNameServer } from '#drivers/dns/builtin/server.ts';
import type { SigningKey } from '#drivers/dns/builtin/sign-set.ts';
import type { ServerAddress } from '#drivers/dns/client.ts';
import { dig, rrset } from '#drivers/dns/conformance.ts';
import { dayMs, hourMs } from '#lib/time.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { signatureRefresh } from '#reconcilers/signature-refresh.ts';
import { workers } from '#server/workers.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { dnsCalls, readSerial, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { dnssecValidators, newSigningKey, validateAnswer, verifyTransfer } from '#test/support/dnssec-validators.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { startResolver } from '#test/support/public-dns.ts';
import { startKnot, startNsd, type Secondary } from '#test/support/secondaries.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const run = promisify(execFile);
const deadline = () => AbortSignal.timeout(20_000);

interface Dnssec {
  status: string;
  ds: string[];
  keys?: { tag: string; state: string }[];
  rollover?: string;
}

/** The parent zone is signed too, and unbound trusts its key: it keeps everything for a second, in place of the hours of real TTLs. */
describe('a key rollover', needs(...dnssecValidators, 'unbound', 'nsd', 'knotd'), () => {
  const owned = suiteResources();
  const parentZone = new MemorySource();
  let app: TestApp;
  let dns: DnsCalls;
  let resolver: ServerAddress;
  let parentKey: SigningKey;
  let zone: string;
  let secondaries: Secondary[];
  const name = 'rolled.example.com';

  const dnssec = (method: string, more: object = {}) =>
    dns.call<Dnssec>(method, '/v2/dns/dnssec', { domain: zone, ...more });
  const states = async () => ((await dnssec('GET')).keys ?? []).map(({ state }) => state);

  function publishDs(ds: readonly string[], serial: number): void {
    const rrsets = [
      rrset('example.com', 'SOA', `ns1.example.net hostmaster.example.net ${serial} 10800 3600 604800 1`),
      rrset('example.com', 'NS', 'ns1.example.net'),
      rrset(name, 'NS', 'ns1.example.net'),
      ...(ds.length > 0 ? [rrset(name, 'DS', ...ds)] : []),
    ];
    parentZone.put({ name: 'example.com', rrsets }, { keys: [parentKey], wantsDs: true });
  }

  before(async () => {
    const port = await freePort();
    const catalog = 'catalog.example.net';
    const key = { name: 'transfer.example.net', algorithm: 'hmac-sha256', secret: 'c2VjcmV0' } as const;
    const primary = { address: '127.0.0.1', port, catalog, key };
    secondaries = [owned.use(await startNsd(primary, [name])), owned.use(await startKnot(primary))];
    const nameserver = {
      names: ['ns1.example.net', 'ns2.example.net'],
      listen: `127.0.0.1:${port}`,
      transfer: { keys: [key] },
      secondaries: secondaries.map((secondary) => ({
        address: secondary.address,
        port: secondary.port,
        key: key.name,
      })),
      catalog,
    };
    app = owned.use(await openTestApp({ site: { nameserver } }));
    await app.parts.queue.start(workers(app.parts));
    dns = dnsCalls(app, app.lab.customer.key);
    parentKey = await newSigningKey();
    publishDs([], 1);
    const onError = (error: unknown) => assert.fail(String(error));
    const parent = owned.use(await startNameServer({ source: parentZone, address: '127.0.0.1', port: 0, onError }));
    const delegations = [
      { port: parent.port, domains: ['example.com'] },
      { port: app.dns.port, domains: [name] },
    ];
    const anchor = `example.com. DNSKEY ${wireToContent(rrTypes.DNSKEY, parentKey.dnskey, 'plain')}`;
    const server = ['cache-max-ttl: 1', 'cache-max-negative-ttl: 1', `trust-anchor: "${anchor}"`];
    const resolvers = [await startResolver(owned, delegations, { server, stub: [] })];
    resolver = { address: '127.0.0.1', port: Number(resolvers[0]!.split(':')[1]) };
    await applySite(app.parts, { ...app.site, nameserver: { ...app.site.nameserver!, resolvers } });
    zone = await dns.makeZone(name);
    await dns.add(zone, `www.${name}`, 'A', '192.0.2.1');
  });

  /** Returns the status, and whether the resolver validated the answer. */
  async function ask(owner: string, type: string): Promise<string> {
    const options = [`@${resolver.address}`, '-p', String(resolver.port), '+noall', '+comments', '+time=10'];
    const { stdout } = await run('dig', [...options, owner, type]);
    const isValidated = /;; flags: [a-z ]*\bad\b/.test(stdout);
    return `${/status: (\w+)/.exec(stdout)?.[1]}${isValidated ? ' validated' : ''}`;
  }

  /**
   * The refresh of the zone takes hours, so a secondary that has the newest serial was notified of it. Its answers are
   * validated with this DS record.
   */
  async function secondariesFollow(ds: string | undefined, keys: number): Promise<void> {
    const serial = await readSerial(app.dns, name);
    for (const secondary of secondaries) {
      const has = () => readSerial(secondary, name);
      await until(async () => (await has()) === serial, {
        saw: async () => `${secondary.name}: ${await has()} instead of ${serial}\n${secondary.output()}`,
      });
      assert.equal((await dig(secondary, name, 'DNSKEY')).length, keys, secondary.name);
      if (ds === undefined) continue;
      await verifyTransfer(secondary, name);
      const anchor = `static-ds ${ds.replace(/\S+$/, '"$&"')}`;
      const validate = (owner: string, type: string) => validateAnswer(secondary, name, anchor, [owner, type]);
      for (const [owner, type] of [
        [`www.${name}`, 'A'],
        [name, 'SOA'],
        [name, 'DNSKEY'],
      ] as const)
        assert.match(await validate(owner, type), /^; fully validated/m, `${secondary.name} ${owner} ${type}`);
      assert.match(await validate(`missing.${name}`, 'A'), /^; negative response, fully validated/m, secondary.name);
    }
  }

  it('is validated throughout, waits for the parent, and ends with the new key alone', async () => {
    const { ds: firstDs } = await dnssec('PUT');
    publishDs(firstDs, 2);
    await until(async () => (await ask(`www.${name}`, 'A')) === 'NOERROR validated', {
      saw: () => ask(`www.${name}`, 'A'),
    });
    const stopped = new AbortController();
    let asked = 0;
    const watch = (async () => {
      for (; !stopped.signal.aborted; asked++) {
        assert.equal(await ask(`www.${name}`, 'A'), 'NOERROR validated', 'address');
        assert.equal(await ask(name, 'DNSKEY'), 'NOERROR validated', 'keys');
        assert.equal(await ask(`missing${asked}.${name}`, 'A'), 'NXDOMAIN validated', 'missing name');
      }
    })();
    watch.catch(() => stopped.abort());
    const reaches = async (condition: () => boolean | Promise<boolean>) => {
      await until(async () => stopped.signal.aborted || (await condition()), { saw: states });
      if (stopped.signal.aborted) await watch;
    };
    /** Everything is asked again after the second for which the resolver keeps it. */
    const cachesExpire = async () => {
      const [round, startedMs] = [asked, performance.now()];
      await reaches(() => asked > round + 3 && performance.now() - startedMs > 2000);
    };
    await secondariesFollow(firstDs[0], 1);
    const resolverHas = (keys: number) => async () => (await dig(resolver, name, 'DNSKEY', '+recurse')).length === keys;

    const started = await dnssec('POST', { action: 'rollover' });
    assert.match(started.rollover!, /^[0-9a-z]+$/);
    await dns.assertRejected(409, 'POST', '/v2/dns/dnssec', { domain: zone, action: 'rollover' });
    await dns.assertRejected(409, 'POST', '/v2/dns/dnssec', { domain: zone, action: 'withdraw' });
    await reaches(async () => (await states()).join() === 'active,published');
    await reaches(resolverHas(2));
    await secondariesFollow(firstDs[0], 2);
    app.pass(6 * hourMs);
    await reaches(async () => (await states()).join() === 'retired,active');
    const { ds: newDs } = await dnssec('GET');
    assert.notDeepEqual(newDs, firstDs);
    assert.equal((await dns.eventOf('dns.dnssec.changed', name))?.['change'], 'rollover_ds');
    // Both keys sign the DNSKEY set, so either DS record leads to every signature.
    for (const ds of [firstDs[0], newDs[0]]) await secondariesFollow(ds, 2);
    app.pass(30 * dayMs);
    await cachesExpire();
    assert.deepEqual(await states(), ['retired', 'active'], 'it waits for the parent');
    publishDs(newDs, 3);
    await reaches(
      async () => (await dig(resolver, name, 'DS', '+recurse')).join().toLowerCase() === newDs.join().toLowerCase(),
    );
    await cachesExpire();
    app.pass(hourMs);
    const action = async () => (await dns.call<{ step: string }>('GET', `/v2/action/${started.rollover}`, {})).step;
    await reaches(async () => (await action()) !== 'activate');
    app.pass(30 * dayMs);
    await reaches(async () => (await states()).join() === 'active');
    await reaches(resolverHas(1));
    await cachesExpire();
    stopped.abort();
    await watch;
    await secondariesFollow(newDs[0], 1);
    assert.deepEqual((await dnssec('GET')).ds, newDs);
    assert.equal((await dns.eventOf('dns.dnssec.changed', name))?.['change'], 'rollover_completed');
  });

  it('signing is not disabled while the public DNS has a DS record', async () => {
    const refused = await dns.assertRejected(409, 'DELETE', '/v2/dns/dnssec', { domain: zone });
    assert.match(refused.message, /^The parent zone still has DS records for rolled\.example\.com\./);
    publishDs([], 4);
    await until(async () => (await dig(resolver, name, 'DS', '+recurse')).length === 0);
    assert.deepEqual(await dnssec('DELETE'), { status: 'off', ds: [] });
    await until(async () => (await ask(`www.${name}`, 'A')) === 'NOERROR');
    await secondariesFollow(undefined, 0);
  });

  it('raises the serial in time for secondaries to fetch new signatures, without a version in the history', async () => {
    const { ds } = await dnssec('PUT');
    const refresh = signatureRefresh({ ...app.parts, refreshZone: (due) => refreshSignatures(app.parts, due) });
    const serial = await readSerial(app.dns, name);
    const history = () => dns.call<unknown[]>('GET', '/v2/dns/history', { domain: zone });
    const versions = (await history()).length;
    await refresh.run(deadline());
    assert.equal(await readSerial(app.dns, name), serial);
    app.pass(4 * dayMs);
    await refresh.run(deadline());
    assert.ok((await readSerial(app.dns, name)) > serial);
    await secondariesFollow(ds[0], 1);
    assert.equal((await history()).length, versions);
    assert.deepEqual(await refresh.run(deadline()), { backlog: 0 });
  });
});
