// Hostyard with a PowerDNS behind it: every change is visible there when its call returns, and whatever happens to
// PowerDNS in between, it finally has exactly what the database has.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { sampleOwner, sampleRecords, dig } from '#drivers/dns/conformance.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import { startReconcilers, type Reconcilers } from '#reconcilers/reconciler.ts';
import { publicationsWaiting } from '#store/dns/zone-publications.ts';
import { dnsCalls, readSerial } from '#test/support/dns-fixtures.ts';
import { createTsigKey, nsupdate } from '#test/support/dns-updates.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { needs } from '#test/support/needs.ts';
import { type PowerDns, startPowerDns } from '#test/support/powerdns.ts';
import { powerdnsCalls, replaceSet, zonesPath } from '#test/support/powerdns-calls.ts';
import { request } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { printMasterFile } from '../support/zone-file.ts';
import { until } from '#test/support/until.ts';

const changesInTrouble = isLongRun ? 500 : 150;

describeOnEngines(
  'changes published to PowerDNS',
  { ...needs('dig', 'nsupdate', 'pdns_server'), postgres: 'in long runs' },
  ({ owned, openApp }) => {
    let powerDns: PowerDns;
    let app: TestApp;
    let reconcilers: Reconcilers;
    let dns: ReturnType<typeof dnsCalls>;
    const lookUp = (name: string, type: string, ...more: string[]) => dig(powerDns, name, type, ...more);

    before(async () => {
      powerDns = owned.use(await startPowerDns());
      const settings = { url: powerDns.apiUrl, apiKey: powerDns.apiKey, writers: 'one' as const, timeoutSeconds: 2 };
      // Next to PowerDNS, the built-in name server takes updates.
      const nameserver = { names: ['ns1.example.net'], powerdns: settings, listen: '127.0.0.1:0' };
      app = await openApp({ site: { nameserver } });
      const { driver } = app.parts.nameService.external!;
      reconcilers = await startReconcilers(app.parts, [dnsSweep({ ...app.parts, driver, desiredZone })]);
      owned.defer(() => reconcilers.stop());
      dns = dnsCalls(app, app.lab.customer.key);
    });

    /** Waits until nothing is left to publish. */
    async function untilPublished(): Promise<void> {
      const pending = () => publicationsWaiting(app.parts.store.queries, Number.MAX_SAFE_INTEGER, 1);
      await until(
        async () => {
          reconcilers.wake();
          return (await pending()).length === 0;
        },
        { saw: pending },
      );
    }
    /** Both sides of a zone as zone files; PowerDNS is queried directly, bypassing the driver. */
    async function bothSides(zone: string): Promise<[ours: string, theirs: string]> {
      await using reader = openPowerDns({
        url: powerDns.apiUrl,
        apiKey: powerDns.apiKey,
        timeoutMs: 20_000,
        writers: 'one',
      });
      const ours = await desiredZone(app.parts.store.queries, zone);
      const theirs = await reader.read(zone, AbortSignal.timeout(20_000));
      return [printMasterFile(zone, ours?.rrsets ?? []), printMasterFile(zone, theirs ?? [])];
    }

    it('are visible to dig when the call returns, of every kind', async () => {
      const zone = await dns.makeZone('kinds.example.com');
      assert.deepEqual(await lookUp('kinds.example.com', 'NS'), ['ns1.example.net']);
      for (const [type, content] of Object.entries(sampleRecords)) {
        if (type === 'NS' || type === 'TYPE65280') continue;
        const name = sampleOwner('kinds.example.com', type);
        await dns.add(zone, name, type, content);
        assert.deepEqual(await lookUp(name, type), [content]);
      }
      const record = await dns.idOf(zone, 'a.kinds.example.com', 'A');
      await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: '192.0.2.44' });
      assert.deepEqual(await lookUp('a.kinds.example.com', 'A'), ['192.0.2.44']);
      await dns.call('DELETE', '/v2/dns/record', { domain: zone, record });
      assert.deepEqual(await lookUp('a.kinds.example.com', 'A'), ['NXDOMAIN']);
      const listedSoa = (await dns.records(zone)).find(({ type }) => type === 'SOA')!.content;
      assert.deepEqual(await lookUp('kinds.example.com', 'SOA'), [listedSoa]);
      await dns.call('POST', '/v2/dns/history', { domain: zone, version: 2 });
      assert.deepEqual(await lookUp('txt.kinds.example.com', 'TXT'), ['NXDOMAIN']);
      await dns.importFile(zone, '@ NS ns1.example.net.\nfile A 192.0.2.9\n');
      assert.deepEqual(await lookUp('file.kinds.example.com', 'A'), ['192.0.2.9']);
      await untilPublished();
      const ip = '203.0.113.33';
      await dns.call('PUT', '/v2/dns/reverse', { ip, record: 'host.kinds.example.com', forward: true });
      assert.deepEqual(await lookUp('33.113.0.203.in-addr.arpa', 'PTR'), ['host.kinds.example.com']);
      assert.deepEqual(await lookUp('host.kinds.example.com', 'A'), [ip]);
      await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
      assert.deepEqual(await lookUp('kinds.example.com', 'SOA'), ['REFUSED']);
    });

    it('are visible through the PowerDNS-compatible API too', async () => {
      await dns.makeZone('tools.example.com');
      const api = powerdnsCalls(app, app.lab.customer.key);
      const name = '_acme-challenge.tools.example.com';
      assert.equal((await api.patch('tools.example.com.', replaceSet(name, 'TXT', '"one"', '"two"'))).status, 204);
      assert.deepEqual((await lookUp(name, 'TXT')).toSorted(), ['"one"', '"two"']);
      assert.equal((await api.call('PUT', `${zonesPath}/tools.example.com./notify`)).status, 200);
      const challenge = { fqdn: name, value: 'one' };
      assert.equal((await api.call('POST', '/acme/cleanup', challenge)).status, 204);
      assert.deepEqual(await lookUp(name, 'TXT'), ['"two"']);
      assert.equal((await api.call('DELETE', `${zonesPath}/tools.example.com.`)).status, 204);
      assert.deepEqual(await lookUp('tools.example.com', 'SOA'), ['REFUSED']);
    });

    it('of several zones are all visible, or none of them', async () => {
      for (const zone of ['first.example.com', 'second.example.com']) await dns.makeZone(zone);
      const names = ['www.first.example.com', 'www.second.example.com'];
      const changes = (content: string) => names.map((name) => ({ action: 'replace', name, type: 'TXT', content }));
      await dns.call('POST', '/v2/dns/changes', { changes: changes('"old"') });
      for (const name of names) assert.deepEqual(await lookUp(name, 'TXT'), ['"old"']);
      const { driver } = app.parts.nameService.external!;
      const { publish } = driver;
      const published: string[] = [];
      driver.publish = async (zone, signal) => {
        await publish.call(driver, zone, signal);
        published.push(...(await lookUp(names[0]!, 'TXT')));
      };
      // PowerDNS publishes the first zone and refuses the second.
      const refused = { action: 'add', name: 'a-*.second.example.com', type: 'A', content: '192.0.2.1' };
      try {
        await dns.assertRejected(422, 'POST', '/v2/dns/changes', { changes: [...changes('"new"'), refused] });
      } finally {
        driver.publish = publish;
      }
      assert.equal(published[0], '"new"');
      await untilPublished();
      for (const name of names) assert.deepEqual(await lookUp(name, 'TXT'), ['"old"']);
      for (const zone of ['first.example.com', 'second.example.com']) {
        const [ours, theirs] = await bothSides(zone);
        assert.equal(theirs, ours);
      }
    });

    it('are visible when they come as UPDATE messages, and not made if PowerDNS refuses them', async () => {
      const name = 'updates.example.com';
      const zone = await dns.makeZone(name);
      const key = await createTsigKey(app, app.lab.customer.key);
      const update = (...lines: string[]) => nsupdate(app.dns, key, name, lines);
      const serial = await readSerial(powerDns, name);
      assert.equal(await update(`add www.${name} 60 A 192.0.2.1`, `add www.${name} 60 A 192.0.2.2`), 'NOERROR');
      assert.deepEqual(await lookUp(`www.${name}`, 'A'), ['192.0.2.1', '192.0.2.2']);
      assert.equal(await readSerial(powerDns, name), serial + 1);
      assert.equal(await update(`add www.${name} 60 TXT x`, `add a-*.${name} 60 A 192.0.2.3`), 'REFUSED');
      await untilPublished();
      assert.deepEqual(await lookUp(`www.${name}`, 'TXT'), []);
      assert.equal(await update(`prereq nxrrset www.${name} A`, `add www.${name} 60 TXT x`), 'YXRRSET');
      assert.equal(await update(`delete www.${name} A 192.0.2.1`), 'NOERROR');
      assert.deepEqual(await lookUp(`www.${name}`, 'A'), ['192.0.2.2']);
      const history = await dns.call<{ operation: string }[]>('GET', '/v2/dns/history', { domain: zone });
      assert.deepEqual(
        history.map(({ operation }) => operation),
        ['dns.update', 'dns.update', 'v2.zoneCreate'],
      );
      const [ours, theirs] = await bothSides(name);
      assert.equal(theirs, ours);
      powerDns.stall();
      try {
        assert.equal(await nsupdate(app.dns, key, name, [`add late.${name} 60 A 192.0.2.3`], ['-v']), 'SERVFAIL');
      } finally {
        powerDns.resume();
      }
      await untilPublished();
      assert.deepEqual(await lookUp(`late.${name}`, 'A'), ['NXDOMAIN']);
    });

    it('that we reject are not published', async () => {
      const zone = await dns.makeZone('refused.example.com');
      await dns.add(zone, 'a.refused.example.com', 'CNAME', 'b.example.com');
      const serial = await readSerial(powerDns, 'refused.example.com');
      const twice = { domain: zone, record: 'a.refused.example.com', type: 'A', content: '192.0.2.1' };
      await dns.assertRejected(409, 'POST', '/v2/dns/record', twice);
      assert.equal(await readSerial(powerDns, 'refused.example.com'), serial);
    });

    it('that it rejects are rejected with its reason', async () => {
      const zone = await dns.makeZone('cannot.example.com');
      const before = await dns.zoneFile(zone);
      const params = { domain: zone, record: 'a-*.cannot.example.com', type: 'A', content: '192.0.2.1' };
      const name = await dns.assertRejected(422, 'POST', '/v2/dns/record', params);
      assert.deepEqual(
        [name.code, /unsupported characters/.test(name.message)],
        ['record_refused', true],
        name.message,
      );
      const zonefile = `@ NS ns1.example.net.\nx TYPE108 \\# 6 00005e005301\n`;
      const { code } = await dns.assertRejected(422, 'POST', '/v2/dns/zonefile', { domain: zone, zonefile });
      assert.equal(code, 'record_refused');
      assert.equal(await dns.zoneFile(zone), before);
    });

    it('that someone else makes there are corrected', async () => {
      const zone = await dns.makeZone('drift.example.com');
      await dns.add(zone, 'www.drift.example.com', 'A', '192.0.2.1');
      await powerDns.util('replace-rrset', 'drift.example.com', 'www', 'A', '60', '192.0.2.66');
      const { driver } = app.parts.nameService.external!;
      const sweep = dnsSweep({ ...app.parts, instanceId: 'by hand', driver, desiredZone });
      // A sweep skips a zone that the app's own sweep, which may have read it before the change, is publishing.
      await until(async () => {
        await sweep.run(AbortSignal.timeout(60_000));
        const [ours, theirs] = await bothSides('drift.example.com');
        return theirs === ours;
      });
    });

    it('are signed if the customer wants it', async () => {
      const zone = await dns.makeZone('signed.example.com');
      const off = { status: 'off', ds: [] };
      assert.deepEqual(await dns.call('GET', '/v2/dns/dnssec', { domain: zone }), off);
      const on = await dns.call<{ status: string; ds: string[] }>('PUT', '/v2/dns/dnssec', { domain: zone });
      assert.equal(on.status, 'on');
      assert.match(on.ds[0]!, /^\d+ 13 2 [0-9a-f]{64}$/);
      assert.deepEqual(await dns.call('GET', '/v2/dns/dnssec', { domain: zone }), on);
      await dns.add(zone, 'www.signed.example.com', 'A', '192.0.2.1');
      assert.equal((await lookUp('www.signed.example.com', 'RRSIG', '+dnssec')).length, 1);
      // Nothing here resolves public names, and test/api/dnssec-powerdns.test.ts has a resolver.
      assert.deepEqual(await dns.call('DELETE', '/v2/dns/dnssec', { domain: zone, force: true }), off);
      assert.deepEqual(await lookUp('www.signed.example.com', 'A'), ['192.0.2.1']);
    });

    it('while it is killed, restarted, stalled and resumed, many of them: finally both sides agree', async () => {
      const names = ['one', 'two', 'three', 'four'].map((name) => `${name}.trouble.example.com`);
      const zones = new Map<string, string>();
      for (const name of names) zones.set(name, await dns.makeZone(name));
      const changes = Array.from({ length: changesInTrouble }, (_, index) => ({
        index,
        zone: names[index % names.length]!,
      }));
      const outcomes = new Map<string, number>();
      const trouble: Record<number, () => Promise<void>> = {
        [changesInTrouble * 0.2]: async () => {
          await powerDns.kill();
          await sleep(500);
          await powerDns.restart();
        },
        [changesInTrouble * 0.5]: async () => {
          powerDns.stall();
          await sleep(2500);
          powerDns.resume();
        },
        [changesInTrouble * 0.8]: async () => {
          await powerDns.kill();
          await powerDns.restart();
        },
      };
      const troubles: Promise<void>[] = [];
      const work = async () => {
        for (let change = changes.shift(); change !== undefined; change = changes.shift()) {
          const { index, zone } = change;
          if (trouble[index]) troubles.push(trouble[index]());
          const record = `r${index}.${zone}`;
          const params = { domain: zones.get(zone), record, type: 'TXT', content: `"change ${index}"` };
          const { status } = await request(app, 'POST', '/v2/dns/record', { key: app.lab.customer.key, params });
          outcomes.set(record, status);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      await Promise.all(troubles);
      await untilPublished();
      const unexpected = [...outcomes].filter(([, status]) => ![200, 502, 503, 504].includes(status));
      assert.deepEqual(unexpected, []);
      const failed = [...outcomes.values()].filter((status) => status !== 200).length;
      assert.ok(failed > 0 && failed < outcomes.size, `${failed} of ${outcomes.size} failed`);
      for (const zone of names) {
        const [ours, theirs] = await bothSides(zone);
        assert.equal(theirs, ours);
        const recordNames = (await dns.records(zones.get(zone)!))
          .filter(({ type }) => type === 'TXT')
          .map(({ name }) => name);
        const promised = [...outcomes]
          .filter(([name, status]) => name.endsWith(zone) && status === 200)
          .map(([name]) => name);
        assert.deepEqual(
          recordNames.sort(),
          promised.sort(),
          'changes acknowledged with 200 are there, rejected ones are not',
        );
      }
    });
  },
);
