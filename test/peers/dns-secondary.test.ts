// The built-in name server as a hidden primary: a PowerDNS secondary follows its catalog zone, dig transfers zones with
// and without a key, and BIND's checker reads an export.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import { MemorySource } from '#test/support/memory-source.ts';
import { type NameServer, startNameServer } from '#drivers/dns/builtin/server.ts';
import { dig, rrset, createZone, createZoneOfAllTypes } from '#drivers/dns/conformance.ts';
import { needs } from '#test/support/needs.ts';
import { type PowerDns, startPowerDns } from '#test/support/powerdns.ts';
import { parseMasterFile } from '#protocols/dns/masterfile-parse.ts';
import { printMasterFile } from '../support/zone-file.ts';
import { groupRecords } from '#protocols/dns/rrset.ts';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);
const catalogZone = 'catalog.hostyard.test';
const onFault = (error: unknown) => assert.fail(String(error));

/** Waits until the secondary has it; notifies again at every poll, because a UDP NOTIFY may be lost. */
async function untilAnswered(
  answer: () => Promise<string[]>,
  expected: string[],
  notify: () => Promise<unknown>,
): Promise<void> {
  await until(
    async () => {
      if (isDeepStrictEqual(await answer(), expected)) return true;
      await notify();
      return false;
    },
    { saw: answer },
  );
}

describe('a PowerDNS secondary of the built-in name server', needs('dig', 'pdns_server'), () => {
  const source = new MemorySource();
  const owned = suiteResources();
  let primary: NameServer;
  let secondary: PowerDns;

  before(async () => {
    secondary = owned.use(
      await startPowerDns(['secondary=yes', 'xfr-cycle-interval=1', 'zone-cache-refresh-interval=1']),
    );
    primary = owned.use(
      await startNameServer({
        source,
        address: '127.0.0.1',
        port: 0,
        catalog: catalogZone,
        transferNetworks: ['127.0.0.1'],
        secondaries: [secondary],
        onError: onFault,
      }),
    );
    const consumer = { name: `${catalogZone}.`, kind: 'Consumer', masters: [`127.0.0.1:${primary.port}`] };
    const response = await fetch(`${secondary.apiUrl}/api/v1/servers/localhost/zones`, {
      method: 'POST',
      headers: { 'X-API-Key': secondary.apiKey },
      body: JSON.stringify(consumer),
    });
    assert.equal(response.status, 201, await response.text());
  });

  it('takes on a new zone, follows its changes, and drops it when it is deleted', async () => {
    const notify = (zone: string) => () => primary.notify(zone, AbortSignal.timeout(10_000));
    const address = () => dig(secondary, 'www.follow.test', 'A');
    assert.deepEqual(await address(), ['REFUSED']);

    source.put(createZone('stays.test', 1, rrset('www.stays.test', 'A', '192.0.2.9')));
    source.put(createZone('follow.test', 1, rrset('www.follow.test', 'A', '192.0.2.1')));
    await untilAnswered(address, ['192.0.2.1'], notify(catalogZone));

    source.put(createZone('follow.test', 2, rrset('www.follow.test', 'A', '192.0.2.2')));
    await untilAnswered(address, ['192.0.2.2'], notify('follow.test'));

    source.delete('follow.test');
    await untilAnswered(address, ['REFUSED'], notify(catalogZone));
    assert.deepEqual(await dig(secondary, 'www.stays.test', 'A'), ['192.0.2.9']);
  });
});

describe('a zone transfer requested by dig', needs('dig'), () => {
  const keys = (['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] as const).map((algorithm): TsigKey => ({
    name: `${algorithm}.key.test`,
    algorithm,
    secret: Buffer.from(`secret of ${algorithm}`),
  }));

  async function withServer(transferNetworks: string[], use: (server: NameServer) => Promise<void>): Promise<void> {
    const source = new MemorySource();
    const many = Array.from({ length: 2000 }, (_, index) =>
      rrset(`host-${index}.big.test`, 'A', `10.0.${index >> 8}.${index & 255}`),
    );
    source.put(createZone('big.test', 1, ...many));
    await using server = await startNameServer({
      source,
      address: '127.0.0.1',
      port: 0,
      transferKeys: keys,
      transferNetworks,
      onError: onFault,
    });
    await use(server);
  }

  it('returns every record to a known address', () =>
    withServer(['127.0.0.0/8'], async (server) => {
      const { stdout } = await run('dig', [
        `@${server.address}`,
        '-p',
        `${server.port}`,
        '+noall',
        '+answer',
        'big.test',
        'AXFR',
      ]);
      assert.equal(stdout.trim().split('\n').length, 2000 + 2 + 2);
    }));

  it('is refused to a stranger, and allowed with a key of each algorithm', () =>
    withServer([], async (server) => {
      const options = [`@${server.address}`, '-p', `${server.port}`, '+time=10', '+tries=1'];
      const stranger = await run('dig', [...options, 'big.test', 'AXFR']);
      assert.match(stranger.stdout, /Transfer failed/);
      for (const { name, algorithm, secret } of keys) {
        const key = `${algorithm}:${name}:${Buffer.from(secret).toString('base64')}`;
        const { stdout } = await run('dig', [...options, '-y', key, '+noall', '+answer', 'big.test', 'AXFR']);
        assert.doesNotMatch(stdout, /could not be validated|failed/i);
        assert.equal(
          stdout
            .trim()
            .split('\n')
            .filter((line) => line.includes('\tA\t')).length,
          2000,
          algorithm,
        );
        const wrong = `${algorithm}:${name}:${Buffer.from('wrong').toString('base64')}`;
        const rejection = await run('dig', [...options, '-y', wrong, 'big.test', 'SOA']).catch(
          (error: { stdout: string }) => error,
        );
        assert.match(rejection.stdout, /NOTAUTH/);
      }
    }));
});

describe('an exported zone file', needs('named-checkzone'), () => {
  it('with every type passes named-checkzone and is unchanged by import and export', async () => {
    // With the two types that only imports of signed zones contain.
    const { name, rrsets } = createZoneOfAllTypes('export.test', 2026111500);
    const signature = `TXT 13 3 300 20300101000000 20240101000000 2371 ${name} ${'A'.repeat(86)}==`;
    const computed = [
      rrset(`txt.${name}`, 'NSEC', `a.${name} TXT RRSIG NSEC`),
      rrset(`txt.${name}`, 'RRSIG', signature),
    ];
    const zone = { name, rrsets: [...rrsets, ...computed] };
    const exported = printMasterFile(zone.name, zone.rrsets);
    const { records, problems } = parseMasterFile(exported, { zone: zone.name, defaultTtl: 3600 });
    assert.deepEqual(problems, []);
    assert.equal(printMasterFile(zone.name, groupRecords(records)), exported);

    const folder = await mkdtemp(join(tmpdir(), 'hostyard-zone-'));
    try {
      await writeFile(join(folder, 'zone'), exported);
      const checks = ['-k', 'fail', '-i', 'local'];
      const { stdout } = await run('named-checkzone', [...checks, zone.name, join(folder, 'zone')]);
      assert.match(stdout, /OK/);
      await run('named-compilezone', [
        ...checks,
        '-s',
        'full',
        '-o',
        join(folder, 'theirs'),
        zone.name,
        join(folder, 'zone'),
      ]);
      const theirs = parseMasterFile(await readFile(join(folder, 'theirs'), 'utf8'), {
        zone: zone.name,
        defaultTtl: 0,
      });
      assert.deepEqual(theirs.problems, []);
      assert.equal(printMasterFile(zone.name, groupRecords(theirs.records)), exported, 'as BIND prints it');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
