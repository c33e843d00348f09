// ISO images of devices on both faces: chosen, mounted through the controller, fetched by it under a link of its own, unmounted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Agent, request as fetchFrom } from 'undici';
import { isoNames } from '#contract/catalogue.ts';
import { applyTold } from '#app/site/report.ts';
import { deviceImageFind } from '#store/devices/device-images.ts';
import type { AccountId } from '#store/tables.ts';
import { refused, succeeds, type Told } from '#test/support/devices.ts';
import { request, type Answer } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

const image = 'OS-D_16_x86_64.iso';
const other = 'OS-F526.iso';
const server = 'dc01r01ds02-01';

/** The calls of stories on the lab's server behind Redfish. */
function callsOf(yard: TestYard) {
  const { key } = yard.lab.customer;
  const v2 = (method: string, params: Record<string, unknown> = {}): Promise<Answer<Told>> =>
    request<Told>(yard, method, '/v2/device/iso', { key, params: { service: '1002', ...params } });
  const legacy = (action: string, params: Record<string, string> = {}): Promise<Answer<Told>> =>
    request<Told>(yard, 'POST', '/ipmi/image', { key, form: { server, action, ...params } });
  const status = (): Promise<Answer<Told>> => request<Told>(yard, 'GET', '/v2/device/iso/1002', { key });
  return { v2, legacy, status };
}

async function events(yard: TestYard): Promise<unknown[]> {
  const { body } = await request<{ result: { events: { type: string; data: unknown; service: string }[] } }>(
    yard,
    'GET',
    '/v2/event',
    { key: yard.lab.customer.key },
  );
  return body.result.events
    .filter(({ type }) => type.startsWith('device.image.'))
    .map(({ type, data, service }) => [type, data, service]);
}

/** As a controller fetches: whatever the certificate is. */
async function fetched(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  await using agent = disposable(new Agent({ connect: { rejectUnauthorized: false } }));
  const answer = await fetchFrom(url, { dispatcher: agent.agent, headers, method });
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}
function disposable(agent: Agent) {
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() };
}

for (const { engine, suite, start } of engines) {
  describe(`the image of a device on ${engine}`, suite, () => {
    let databases: Awaited<ReturnType<typeof start>>;
    before(async () => {
      databases = await start();
    });
    after(() => databases[Symbol.asyncDispose]());

    it('is uploaded, mounted, unmounted and kept, in words and with the events of either face', async () => {
      await using yard = await openTestYard(await databases.newDatabase());
      const { v2, legacy, status } = callsOf(yard);
      const { drive } = yard.equipment.redfish.simulator;
      succeeds(await legacy('status'), { image: '', mounted: '0' });
      succeeds(await status(), { image: '', mounted: '0' });
      refused(await v2('PUT'), 409, 'state_conflict');
      refused(await v2('DELETE'), 409, 'state_conflict');
      succeeds(await v2('POST', { image }), 'Image Uploaded');
      assert.equal(drive.image, undefined);
      succeeds(await legacy('status'), { image, mounted: '0' });
      refused(await legacy('unmountImage'), 409);
      succeeds(await v2('PUT'), 'Image Mounted');
      assert.match(drive.image ?? '', new RegExp(`^https://127\\.0\\.0\\.1:\\d+/media/[a-z2-7]{40}/${image}$`));
      succeeds(await legacy('status'), { image, mounted: '1' });
      succeeds(await status(), { image, mounted: '1' });
      const link = drive.image;
      succeeds(await v2('PUT'), 'Image Mounted');
      assert.equal(drive.image, link, 'what is mounted stays as it is');
      assert.match(refused(await v2('POST', { image: other }), 409, 'state_conflict'), /unmount/);
      refused(await legacy('setImage', { image: other }), 409);
      succeeds(await v2('DELETE'), 'Image Unmounted');
      assert.equal(drive.image, undefined);
      succeeds(await legacy('status'), { image, mounted: '0' });
      succeeds(await legacy('setImage', { image: other }), 'Image Set');
      succeeds(await legacy('mountImage'), 'Image Mounted');
      succeeds(await legacy('unmountImage'), 'Image Unmounted');
      assert.deepEqual(await events(yard), [
        ['device.image.mounted', { image }, '1002'],
        ['device.image.unmounted', { image }, '1002'],
        ['device.image.mounted', { image: other }, '1002'],
        ['device.image.unmounted', { image: other }, '1002'],
      ]);
    });

    it('comes from the controller, whatever a call that was interrupted has left behind', async () => {
      await using yard = await openTestYard(await databases.newDatabase());
      const { v2, legacy } = callsOf(yard);
      const { simulator } = yard.equipment.redfish;
      const { queries } = yard.parts.store;
      const put = (state: 'Mounting' | 'Unmounting') => queries.updateTable('device_images').set({ state }).execute();
      await v2('POST', { image });
      await v2('PUT');
      // Killed after the controller had done it, and before that was written down.
      await put('Mounting');
      succeeds(await legacy('status'), { image, mounted: '1' });
      refused(await v2('POST', { image: other }), 409);
      await put('Unmounting');
      succeeds(await v2('DELETE'), 'Image Unmounted');
      // Killed before the controller was told.
      await put('Mounting');
      succeeds(await legacy('status'), { image, mounted: '0' });
      succeeds(await v2('PUT'), 'Image Mounted');
      // A controller that restarts forgets.
      simulator.drive.eject();
      succeeds(await legacy('status'), { image, mounted: '0' });
      refused(await v2('DELETE'), 409);
      const row = await deviceImageFind(queries, 1 as AccountId, 1002);
      assert.deepEqual([row?.state, row?.link_hash], ['Set', null]);
    });

    it('is changed by one call at a time', async () => {
      await using yard = await openTestYard(await databases.newDatabase());
      const { v2 } = callsOf(yard);
      await v2('POST', { image });
      const answers = await Promise.all([v2('PUT'), v2('PUT'), v2('PUT')]);
      for (const answer of answers) succeeds(answer, 'Image Mounted');
      assert.equal((await events(yard)).length, 1);
    });
  });
}

describe('the image of a device', { concurrency: 2 }, () => {
  it('is handed to the controller under its link alone, in ranges, until it is unmounted', async () => {
    await using yard = await openTestYard();
    const { v2 } = callsOf(yard);
    await v2('POST', { image });
    await v2('PUT');
    const link = yard.equipment.redfish.simulator.drive.image!;
    const whole = await fetched(link);
    assert.deepEqual([whole.status, whole.headers['accept-ranges']], [200, 'bytes']);
    const part = await fetched(link, { range: 'bytes=32768-34815' });
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 32768-34815/${whole.bytes.length}`]);
    assert.deepEqual(part.bytes, whole.bytes.subarray(32_768, 34_816));
    assert.equal(part.bytes.toString('latin1', 1, 6), 'CD001');
    const head = await fetched(link, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(whole.bytes.length)]);
    assert.equal((await fetched(link, { range: 'bytes=99999999-' })).status, 416);
    const { origin, pathname } = new URL(link);
    const secret = pathname.split('/')[2]!;
    const elsewhere = [
      '/',
      '/media',
      `/media/${secret}`,
      `/media/${secret}/`,
      `/media/${secret}/${other}`,
      `/media/${secret}/..%2flab.json`,
      `/media/${secret.replace(/./, (first) => (first === 'a' ? 'b' : 'a'))}/${image}`,
      `/media/${'a'.repeat(300)}/${image}`,
    ];
    for (const path of elsewhere) {
      const answer = await fetched(`${origin}${path}`);
      assert.deepEqual([answer.status, answer.bytes.length], [404, 0], path);
    }
    const before = await yard.parts.store.queries.selectFrom('device_images').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(before), new RegExp(secret), 'the database does not know the secret');
    await v2('DELETE');
    assert.equal((await fetched(link)).status, 404);
  });

  it('is booted from by the server', async () => {
    await using yard = await openTestYard();
    const { v2 } = callsOf(yard);
    const { key } = yard.lab.customer;
    const { serial } = yard.equipment.redfish.simulator;
    let printed = '';
    serial.listen((text) => (printed += text));
    await v2('POST', { image });
    await v2('PUT');
    const power = (method: string, params: Record<string, unknown>) =>
      request<Told>(yard, method, '/v2/device/power', { key, params: { service: '1002', ...params } });
    succeeds(await power('PUT', { request: 'cdrom' }), 'Set Boot Device to cdrom');
    succeeds(await power('POST', { action: 'reboot' }), 'Chassis Power Control: Reset');
    await until(() => printed.includes('Live system of HOSTYARD_LAB'));
  });

  it('is one of the catalogue: every built-in name works in the lab, and nothing else does', async () => {
    await using yard = await openTestYard();
    const { v2, legacy } = callsOf(yard);
    const { key } = yard.lab.customer;
    const listed = await request<{ result: { name: string; value: string }[] }>(yard, 'GET', '/v2/device/iso', { key });
    assert.deepEqual(
      listed.body.result.map(({ value }) => value),
      isoNames,
    );
    assert.equal(isoNames.length, 39);
    for (const name of isoNames) succeeds(await legacy('setImage', { image: name }), 'Image Set');
    refused(await v2('POST', { image: '' }), 400);
    const namesAll = (message: string): void => {
      for (const name of isoNames) assert.ok(message.includes(name), message);
    };
    for (const name of ['OS-Z.iso', image.toLowerCase(), '../lab.json'])
      namesAll(refused(await v2('POST', { image: name }), 422, 'not_in_catalogue'));
    namesAll(refused(await legacy('setImage', { image: 'OS-Z.iso' }), 422));
    const form = { vmid: '101', image: 'OS-Z.iso' };
    namesAll(refused(await request<Told>(yard, 'POST', '/vps/iso', { key, form }), 422));
    assert.match(refused(await legacy('setImage'), 400), /image is required with setImage/);
    refused(await request<Told>(yard, 'GET', '/v2/device/iso', { key, params: { service: '1101' } }), 404);
    refused(await request<Told>(yard, 'POST', '/v2/device/iso', { key, params: { service: '1101', image } }), 404);
  });

  it("may be the provider's own, for some devices, and a built-in name may have no file", async () => {
    await using yard = await openTestYard();
    const { v2 } = callsOf(yard);
    const { disc: file } = yard.equipment;
    const images = [
      { value: 'acme-1.0.iso', name: 'Acme 1.0', file },
      { value: 'machines-only.iso', file, devices: ['vps' as const, 'cloud' as const] },
      { value: 'altered.iso', file, sha256: '0'.repeat(64) },
    ];
    await applyTold(yard.parts, { ...yard.site, images }, 'used');
    const { body } = await v2('GET');
    const own = (body.result as { name: string; value: string }[]).slice(isoNames.length);
    assert.deepEqual(own, [
      { name: 'Acme 1.0', value: 'acme-1.0.iso' },
      { name: 'altered', value: 'altered.iso' },
    ]);
    succeeds(await v2('POST', { image: 'acme-1.0.iso' }), 'Image Uploaded');
    succeeds(await v2('PUT'), 'Image Mounted');
    succeeds(await v2('DELETE'), 'Image Unmounted');
    assert.match(refused(await v2('POST', { image }), 422, 'not_in_catalogue'), /no file for this image/);
    refused(await v2('POST', { image: 'machines-only.iso' }), 422, 'not_in_catalogue');
    assert.match(refused(await v2('POST', { image: 'altered.iso' }), 422, 'not_in_catalogue'), /no file/);
    await applyTold(yard.parts, { ...yard.site, images: [] }, 'used');
    refused(await v2('PUT'), 422, 'not_in_catalogue');
  });

  it('is a 422 on a controller without a drive, which the answer names', async () => {
    await using yard = await openTestYard();
    const { key } = yard.lab.stranger;
    for (const [method, params] of [
      ['POST', { image }],
      ['PUT', {}],
      ['DELETE', {}],
    ] as const) {
      const answer = await request<Told>(yard, method, '/v2/device/iso', {
        key,
        params: { service: yard.lab.stranger.service, ...params },
      });
      assert.match(refused(answer, 422, 'capability_missing'), /has no media/);
    }
    const form = { server: 'dc01r02ds01', action: 'setImage', image };
    refused(await request<Told>(yard, 'POST', '/ipmi/image', { key, form }), 422);
    const status = { server: 'dc01r02ds01', action: 'status' };
    succeeds(await request<Told>(yard, 'POST', '/ipmi/image', { key, form: status }), { image: '', mounted: '0' });
  });

  it('reaches a server by Redfish that is otherwise behind IPMI', async () => {
    await using yard = await openTestYard();
    const { key } = yard.lab.customer;
    const ask = (action: string, params = {}) =>
      request<Told>(yard, 'POST', '/ipmi/image', { key, form: { server: 'dc01r01ds01', action, ...params } });
    succeeds(await ask('setImage', { image }), 'Image Set');
    succeeds(await ask('mountImage'), 'Image Mounted');
    assert.notEqual(yard.equipment.beside.simulator.drive.image, undefined);
    succeeds(await ask('unmountImage'), 'Image Unmounted');
    assert.equal(yard.equipment.beside.simulator.drive.image, undefined);
  });

  it('is not called mounted where the controller falls silent or cannot load it', async () => {
    await using yard = await openTestYard();
    const { v2, legacy } = callsOf(yard);
    const { simulator } = yard.equipment.redfish;
    await v2('POST', { image });
    const door = yard.parts.media;
    const { url } = door;
    door.url = 'https://127.0.0.1:9';
    assert.match(refused(await v2('PUT'), 502, 'bmc_error'), /could not load/);
    door.url = url;
    succeeds(await legacy('status'), { image, mounted: '0' });
    simulator.setFaults({ isSilent: true });
    refused(await v2('PUT'), 504, 'bmc_unreachable');
    simulator.setFaults({});
    succeeds(await v2('PUT'), 'Image Mounted');
  });

  it('is that of a virtual machine too', async () => {
    await using yard = await openTestYard();
    const { key } = yard.lab.customer;
    const node = yard.equipment.node.simulator;
    const iso = (method: string, params: Record<string, string> = {}) =>
      request<Told>(yard, method, '/v2/device/iso', { key, params: { service: '2001', ...params } });
    const inside = () => node.machines.get('vm-101')?.state.image;
    refused(await iso('PUT'), 409);
    succeeds(await iso('POST', { image }), 'Image Uploaded');
    assert.equal(inside(), undefined);
    succeeds(await iso('PUT'), 'Image Mounted');
    assert.equal(inside(), yard.equipment.disc);
    refused(await iso('POST', { image: other }), 409);
    succeeds(await iso('DELETE'), 'Image Unmounted');
    assert.equal(inside(), undefined);
    const mount = (value: string) =>
      request<Told>(yard, 'POST', '/vps/iso', { key, form: { vmid: '101', image: value } });
    succeeds(await mount(image), 'Image Mounted');
    succeeds(await mount(other), 'Image Mounted');
    refused(await mount('OS-Z.iso'), 422);
    assert.notEqual(inside(), undefined, 'what is in stays in');
    const listed = await request<{ result: unknown[] }>(yard, 'GET', '/vps/iso', { key });
    assert.equal(listed.body.result.length, 39);
  });
});
