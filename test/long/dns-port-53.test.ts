// Clients that use port 53 and nothing else: lego, which asks all name servers of a zone, and lexicon's `ddns`. The name
// server has that port in a network namespace, whose hosts file has the names of the name servers.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { acmeRule } from '#contract/shapes/dns-limits.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { createTsigKey, type NewTsigKey } from '#test/support/dns-updates.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { findBinary, needsRoot } from '#test/support/needs.ts';
import { issueWithLego, startPebble, type Pebble } from '#test/support/pebble.ts';
import { createKey } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);
const names = ['ns1.example.net', 'ns2.example.net'];
const address = '127.0.0.10';
const insideVariable = 'HOSTYARD_TEST_PORT_53';
const programs = ['unshare', 'ip', 'mount', 'pebble', 'lego', 'lexicon', 'openssl', 'curl', 'dig'];

describe('clients that use port 53', needsRoot(...programs), () => {
  if (process.env[insideVariable] === undefined) it('work in a network namespace', runInside);
  else describeInside();
});

/** Runs this file again, in namespaces of the network and of mounts. */
async function runInside(): Promise<void> {
  await using folder = await temporaryFolder('port-53');
  const [hosts, resolvers] = [join(folder.path, 'hosts'), join(folder.path, 'resolv.conf')];
  await writeFile(hosts, `127.0.0.1 localhost\n${names.map((name) => `${address} ${name}\n`).join('')}`);
  await writeFile(resolvers, `nameserver ${address}\n`);
  const script = `ip link set lo up
    mount --bind ${hosts} /etc/hosts
    mount --bind ${resolvers} /etc/resolv.conf
    exec "$@"`;
  const command = [process.execPath, ...process.execArgv, '--test-reporter=spec', import.meta.filename];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { env: { ...env, [insideVariable]: '1' } };
  const { stdout, stderr } = await run(
    'unshare',
    ['--net', '--mount', 'sh', '-ec', script, 'sh', ...command],
    options,
  ).catch((error: unknown) => error as { stdout: string; stderr: string });
  assert.match(stdout, /^ℹ pass 3\nℹ fail 0$/m, `${stdout}\n${stderr}`);
}

function describeInside(): void {
  const owned = suiteResources();
  let app: TestApp;
  let dns: DnsCalls;
  let pebble: Pebble;
  before(async () => {
    app = owned.use(await openTestApp({ site: { nameserver: { names, listen: `${address}:53` } } }));
    dns = dnsCalls(app, app.lab.customer.key);
    pebble = owned.use(await startPebble(app.dns));
  });

  async function issue(provider: string, domain: string, env: Record<string, string>): Promise<void> {
    const domains = [domain, `*.${domain}`];
    const { names: issued, output } = await issueWithLego(pebble, { provider, domains, env, asksNameServers: true });
    assert.deepEqual(issued.toSorted(), domains.toSorted());
    assert.match(output, /Checking DNS record propagation/);
  }

  it('lego pdns gets a certificate after it has asked all name servers', async () => {
    await dns.makeZone('pdns.example.com');
    const { key } = await createKey(app, app.lab.customer.key, {
      scopes: ['dns:read', 'dns:write'],
      dns: [acmeRule(['pdns.example.com'])],
    });
    await issue('pdns', 'pdns.example.com', {
      PDNS_API_URL: app.url,
      PDNS_API_KEY: key,
      PDNS_POLLING_INTERVAL: '1',
    });
  });

  it('lego rfc2136 gets a certificate after it has asked all name servers', async () => {
    await dns.makeZone('update.example.com');
    const limits = JSON.stringify([acmeRule(['update.example.com'])]);
    const { tsigname, secret, algorithm } = await createTsigKey(app, app.lab.customer.key, { dns: limits });
    await issue('rfc2136', 'update.example.com', {
      RFC2136_NAMESERVER: address,
      RFC2136_TSIG_KEY: tsigname,
      RFC2136_TSIG_SECRET: secret,
      RFC2136_TSIG_ALGORITHM: `${algorithm}.`,
      RFC2136_POLLING_INTERVAL: '1',
      RFC2136_SEQUENCE_INTERVAL: '1',
    });
  });

  it('lexicon ddns creates, lists, updates and deletes records', async () => {
    // lexicon splits names by the public suffix list.
    const zone = 'hostyard-ddns.com';
    const name = `host.${zone}`;
    await dns.makeZone(zone);
    const lexicon = async (key: NewTsigKey, ...args: string[]): Promise<string> => {
      const token = `${key.algorithm}:${key.tsigname}:${key.secret}`;
      const access = ['--auth-token', token, '--ddns-server', address];
      return (await run(findBinary('lexicon')!, ['ddns', ...args, ...access])).stdout;
    };
    const key = await createTsigKey(app, app.lab.customer.key, { dns: JSON.stringify([{ zones: [zone] }]) });
    await lexicon(key, 'create', zone, 'A', '--name', name, '--content', '192.0.2.1');
    assert.deepEqual(await dig(app.dns, name, 'A'), ['192.0.2.1']);
    assert.match(await lexicon(key, 'list', zone, 'A'), /192\.0\.2\.1/);
    await lexicon(key, 'update', zone, 'A', '--name', name, '--content', '192.0.2.2');
    assert.deepEqual(await dig(app.dns, name, 'A'), ['192.0.2.2']);
    // It reports success whatever the answer is, so the name server is asked.
    const other = await createTsigKey(app, app.lab.customer.key, { dns: JSON.stringify([acmeRule([zone])]) });
    await lexicon(other, 'delete', zone, 'A', '--name', name);
    assert.deepEqual(await dig(app.dns, name, 'A'), ['192.0.2.2']);
    await lexicon(key, 'delete', zone, 'A', '--name', name);
    assert.deepEqual(await dig(app.dns, name, 'A'), ['NXDOMAIN']);
  });
}
