// The boot server as firmware, installers and strangers see it: a script by MAC address and UUID, files by secret links,
// and nothing for anyone else.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { bootReport } from '#app/reload/boot.ts';
import { applySite } from '#app/site/apply.ts';
import { reloadLogTips } from '#store/devices/reloads.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  askForScript,
  bootableSite,
  bootMac,
  bootUuid,
  linkIn,
  openReloadFixture,
  sendFrom,
} from '#test/support/reloads.ts';

describe('the boot server', { concurrency: true }, () => {
  it('reveals to nobody which servers exist', async () => {
    await using story = await openReloadFixture();
    const script = async (path: string): Promise<string> => (await fetch(`${story.bootUrl}/boot/ipxe${path}`)).text();
    const unknown = await script('/52-54-00-99-99-99');
    assert.match(unknown, /^#!ipxe\n/);
    assert.ok(!unknown.includes('http'));
    for (const path of [
      `/${bootMac}`,
      '/nonsense',
      '',
      '?mac=%00',
      '?mac=a&mac=b&uuid=c&uuid=d',
      `?uuid=${'9'.repeat(36)}`,
    ])
      assert.equal(await script(path), unknown, path);
    for (const path of [
      '/',
      '/boot',
      '/boot/',
      '/boot/x',
      `/boot/ipxe/${'a'.repeat(500)}`,
      '/boot/%ff/kernel',
      `/boot/${'0'.repeat(64)}/kernel`,
      '/boot/x/report?phase=Completed',
      '/v2/account',
    ]) {
      const response = await fetch(`${story.bootUrl}${path}`);
      assert.deepEqual([response.status, await response.text()], [404, ''], path);
    }
  });

  it('ends a connection that sends requests without waiting for responses', async () => {
    await using story = await openReloadFixture();
    const sent = 5000;
    const caller = connect(Number(new URL(story.bootUrl).port), '127.0.0.1');
    const closed = new Promise((resolve) => caller.once('close', resolve));
    let received = '';
    caller.setEncoding('latin1').on('data', (text: string) => (received += text));
    caller.on('error', () => {});
    const get = 'GET /boot/ipxe/52-54-00-99-99-99 HTTP/1.1\r\nhost: hostyard\r\n';
    caller.write(`${`${get}\r\n`.repeat(sent)}${get}connection: close\r\n\r\n`);
    await closed;
    const responses = received.match(/HTTP\/1\.1 200 /g) ?? [];
    assert.ok(responses.length < sent / 2, `${responses.length} responses`);
  });

  it('identifies a server by its MAC address in any notation, together with its UUID', async () => {
    await using story = await openReloadFixture();
    await story.begin('reload');
    await story.poweredOn();
    const script = async (path: string): Promise<string> => (await fetch(`${story.bootUrl}/boot/ipxe${path}`)).text();
    const dashed = bootMac.toUpperCase().replaceAll(':', '-');
    for (const path of [`/${bootUuid}`, `?uuid=${bootUuid}`, `/52-54-00-99-99-99?uuid=${bootUuid}`, `/${dashed}`])
      assert.equal(linkIn(await script(path)), undefined, path);
    const { mac, requested_at } = (await story.app.parts.store.queries
      .selectFrom('reloads')
      .selectAll()
      .executeTakeFirst())!;
    assert.deepEqual([mac, requested_at], [null, null], 'nothing is learned from them');
    for (const path of [
      `/${encodeURIComponent(bootMac)}?uuid=${bootUuid}`,
      `/${dashed}?uuid=${bootUuid.toUpperCase()}`,
      `/${bootMac.replaceAll(':', '')}?uuid=${bootUuid}`,
      `?mac=${encodeURIComponent(bootMac)}&uuid=${bootUuid}`,
    ])
      assert.ok(linkIn(await script(path)), path);
  });

  it('serves files completely, in ranges, and HEAD requests', async () => {
    await using story = await openReloadFixture();
    await story.begin('reload');
    const { link } = await story.booted();
    const kernel = `${link}/kernel`;
    const fullFile = await fetch(kernel);
    assert.deepEqual(
      [fullFile.status, await fullFile.text(), fullFile.headers.get('content-length')],
      [200, 'the kernel', '10'],
    );
    const part = await fetch(kernel, { headers: { range: 'bytes=4-' } });
    assert.deepEqual(
      [part.status, await part.text(), part.headers.get('content-range')],
      [206, 'kernel', 'bytes 4-9/10'],
    );
    assert.equal((await fetch(kernel, { headers: { range: 'bytes=99-' } })).status, 416);
    const head = await fetch(kernel, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10']);
    for (const name of ['constructor', '__proto__', '..%2fkernel', 'image'])
      assert.equal((await fetch(`${link}/${name}`)).status, 404, name);
  });

  it('accepts only reports of a sane size and form', async () => {
    await using story = await openReloadFixture();
    await story.begin('reload');
    const { link } = await story.booted();
    const post = async (body: string): Promise<number> => {
      const response = await fetch(`${link}/report`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/plain' },
      });
      await response.arrayBuffer();
      return response.status;
    };
    assert.equal(await post('phase=Dancing'), 400);
    const disk = 'phase=Erased&index=1&serial=A&bytes=512&method=discard&seconds=1&result=erased';
    assert.equal(await post(disk), 400, 'nothing is being erased');
    assert.equal(await post(`phase=Installing&message=${'x'.repeat(5000)}`), 413);
    assert.equal(await post('{"phase":"Installing","percent":{"toString":1,"valueOf":1}}'), 400);
    assert.equal(await post('{"phase":"Erased","index":{"toString":1,"valueOf":1}}'), 400);
    assert.equal(await post('{"phase":"Installing","percent":30}'), 204);
    assert.equal(await post('{"phase":"Installing","percent":30}'), 204);
    assert.equal(await story.status(), 'Installing 30%');
  });

  it('limits the reports of a boot', async () => {
    await using story = await openReloadFixture();
    await story.begin('reload');
    const { link } = await story.booted();
    const post = async (message: string): Promise<number> =>
      (await fetch(`${link}/report?phase=Installing&message=${message}`, { method: 'POST' })).status;
    const statuses = new Set<number>();
    for (let sent = 0; sent < 3000 && !statuses.has(429); sent += 20)
      for (const status of await Promise.all(Array.from({ length: 20 }, (_, index) => post(`${sent + index}`))))
        statuses.add(status);
    assert.deepEqual([...statuses], [204, 429]);
  });

  it('limits the reports of a machine that has no boot, and no others', async () => {
    await using story = await openReloadFixture();
    await story.begin('reload');
    const { link } = await story.booted();
    const report = async (from: string, boot: string): Promise<number> =>
      (await sendFrom(from, `${boot}/report?phase=Installing`)).status;
    const statuses = new Set<number>();
    for (let sent = 0; sent < 3000 && !statuses.has(429); sent += 20) {
      const guesses = Array.from({ length: 20 }, (_, index) => `${story.bootUrl}/boot/${sent + index}`);
      for (const status of await Promise.all(guesses.map((guess) => report('127.0.0.9', guess)))) statuses.add(status);
    }
    assert.deepEqual([...statuses], [404, 429]);
    assert.equal(await report('127.0.0.1', link), 204);
  });

  for (const kind of ['reload', 'rescue', 'password'] as const)
    it(`limits what is kept of the reports of a ${kind}`, async () => {
      await using story = await openReloadFixture();
      await story.begin(kind);
      const { link } = await story.booted();
      const { parts } = story.app;
      const { bound_to, id } = await parts.store.queries.selectFrom('reloads').selectAll().executeTakeFirstOrThrow();
      const own = { secret: link.split('/').at(-1)!, address: bound_to! };
      for (let count = 0; count < 600; count++)
        await bootReport(parts, own, { phase: 'Installing', message: `again ${count}` });
      assert.equal((await reloadLogTips(parts.store.queries, [id])).get(id), 500);
      assert.equal(await bootReport(parts, own, { phase: 'Completed' }), 'recorded');
    });

  it('serves others although one machine opens as many connections as it can', async () => {
    await using story = await openReloadFixture();
    const { hostname: host, port } = new URL(story.bootUrl);
    const connections: Socket[] = [];
    /** Returns what the server answers first, or nothing if it closes the connection. */
    const open = (): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), localAddress: '127.0.0.9' }).on('error', () => {});
        connections.push(socket);
        socket.once('data', (data) => resolve(String(data))).once('close', () => resolve(''));
        socket.write('GET /boot/first.ipxe HTTP/1.1\r\nHost: localhost\r\n\r\n');
      });
    // Only a response shows that the server has accepted a connection: the system accepts more, for it to take later.
    while (connections.length < 1000)
      for (const answer of await Promise.all(Array.from({ length: 100 }, () => open())))
        assert.match(answer, /^HTTP\/1.1 200 /);
    assert.equal(await open(), '');
    assert.match(await askForScript(story.bootUrl, '127.0.0.10', '52:54:00:99:99:99'), /^#!ipxe\n/);
    for (const socket of connections) socket.destroy();
  });

  it('serves no file other than the one whose digest the site file names', async () => {
    await using story = await openReloadFixture();
    await using folder = await temporaryFolder('files');
    const site = bootableSite(story.app.site, folder.path);
    const [debian, ...others] = site.systems!;
    const kernel = { ...debian!.kernel, sha256: hash('sha256', 'the kernel') };
    await applySite(story.app.parts, { ...site, systems: [{ ...debian!, kernel }, ...others] });
    await story.begin('reload');
    const { link } = await story.booted();
    assert.equal((await fetch(`${link}/kernel`)).status, 200);
    await writeFile(kernel.file!, 'another kernel');
    assert.equal((await fetch(`${link}/kernel`)).status, 404);
    assert.equal((await fetch(`${link}/initrd`)).status, 200);
  });
});
