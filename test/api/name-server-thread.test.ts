// The built-in name server runs beside the API, not in its event loop.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { before, it } from 'node:test';
import { promisify } from 'node:util';
import type { NameService } from '#app/dns/name-service.ts';
import { applySite } from '#app/site/apply.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { request } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { decodeMessage } from '#protocols/dns/message.ts';
import { signMessage } from '#protocols/dns/tsig.ts';
import { headerFlags, rcodes } from '#protocols/dns/types.ts';
import { dnsCalls, readSerial } from '#test/support/dns-fixtures.ts';
import { createTsigKey, protocolKey, sendUdp, updateMessage } from '#test/support/dns-updates.ts';
import { until } from '#test/support/until.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

describeOnEngines('the built-in name server', ({ openApp, owned }) => {
  let app: TestApp;
  const notifiedOf: string[] = [];
  before(async () => {
    const secondary = owned.adopt(createSocket('udp4'), (socket) => void socket.close());
    secondary.on('message', (bytes, { port, address }) => {
      notifiedOf.push(decodeMessage(bytes).questions[0]!.name);
      bytes[2]! |= headerFlags.RESPONSE >> 8;
      secondary.send(bytes, port, address);
    });
    secondary.bind(0, '127.0.0.1');
    await once(secondary, 'listening');
    const secondaries = [{ address: '127.0.0.1', port: secondary.address().port }];
    const names = ['ns1.example.net', 'ns2.example.net'];
    const nameserver = { names, listen: '127.0.0.1:0', secondaries, catalog: 'catalog.example.net' };
    app = await openApp({ site: { nameserver } });
  });

  it('answers while the event loop of the API is blocked', async () => {
    const { add, makeZone } = dnsCalls(app, app.lab.customer.key);
    const zone = await makeZone('thread.example.org');
    await add(zone, 'www.thread.example.org', 'A', '192.0.2.7');
    const target = [`@${app.dns.address}`, '-p', String(app.dns.port), '+short', '+time=5', '+tries=1'];
    // Blocks this thread until dig has its answer.
    assert.equal(execFileSync('dig', [...target, 'www.thread.example.org', 'A'], { encoding: 'utf8' }), '192.0.2.7\n');
  });

  it('takes signed updates, transfers what they changed, and forgets a deleted key within a second', async () => {
    const { key: customerKey } = app.lab.customer;
    const { call, makeZone } = dnsCalls(app, customerKey);
    const zone = 'signed-updates.example.org';
    await makeZone(zone);
    const serial = await readSerial(app.dns, zone);
    const created = await createTsigKey(app, customerKey);
    const sendUpdate = async (text: string) => {
      const options = { timeSeconds: Math.floor(Date.now() / 1000) };
      const { bytes } = signMessage(updateMessage(zone, `a.${zone}`, text), protocolKey(created), options);
      return (await sendUdp(app.dns, bytes)).rcode;
    };
    for (const text of ['one', 'two']) assert.equal(await sendUpdate(text), rcodes.NOERROR);
    assert.deepEqual(await dig(app.dns, `a.${zone}`, 'TXT'), ['"one"', '"two"']);
    const { address, port } = app.dns;
    const signature = `${created.algorithm}:${created.tsigname}:${created.secret}`;
    const options = `@${address} -p ${port} -y ${signature} +noall +answer +tcp ${zone} IXFR=${serial}`;
    const transfer = await promisify(execFile)('dig', options.split(' '));
    const records = transfer.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    assert.deepEqual(
      records.map(([, , , type, ...content]) => (type === 'SOA' ? Number(content[2]) - serial : content.join(' '))),
      [2, 0, 2, '"one"', '"two"', 2],
    );
    await call('DELETE', '/v2/dns/tsig', { id: created.id });
    await until(async () => (await sendUpdate('three')) === rcodes.NOTAUTH);
  });

  it('notifies secondaries of every change, also of those that another process makes', async () => {
    const { makeZone } = dnsCalls(app, app.lab.customer.key);
    const untilNotified = async (...zones: string[]): Promise<void> => {
      await until(() => zones.every((zone) => notifiedOf.includes(zone)), { saw: () => notifiedOf });
      notifiedOf.length = 0;
    };
    // Of all zones at the start.
    await untilNotified('catalog.example.net', '113.0.203.in-addr.arpa');
    await makeZone('notified.example.org');
    await untilNotified('catalog.example.net', 'notified.example.org');
    // `hostyard apply` is a process without a name server.
    const { nameService: _, ...parts } = app.parts;
    const nameService = { external: undefined } as NameService;
    const netblocks = [...app.site.netblocks!, { cidr: '192.0.2.0/24' }];
    await applySite({ ...parts, nameService }, { ...app.site, netblocks });
    await untilNotified('catalog.example.net', '2.0.192.in-addr.arpa');
  });

  it('appears in the metrics', async () => {
    await dig(app.dns, 'missing.thread.example.org', 'A');
    const { body } = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    assert.match(body, /^hostyard_dns_up 1$/m);
    assert.match(body, /^hostyard_dns_restarts 0$/m);
    assert.match(body, /^hostyard_dns_queries_total\{transport="udp"\} [1-9]/m);
    assert.match(body, /^hostyard_dns_limited_total\{action="dropped"\} 0$/m);
  });
});
