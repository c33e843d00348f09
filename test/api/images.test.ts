// ISO images of devices on both APIs: selected, mounted through the BMC, fetched by it under its own link, unmounted.
import assert from 'node:assert/strict';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Agent, request as fetchFrom } from 'undici';
import { isoNames } from '#contract/catalogue.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { deviceImageFind } from '#store/devices/device-images.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { request, requestResult, type Envelope, type TestResponse } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';
import type { AccountId } from '#store/account-id.ts';
import { listEvents } from '#test/support/event-stream.ts';

const image = 'OS-D_16_x86_64.iso';
const other = 'OS-F526.iso';
const server = 'dc01r01ds02-01';
const noUpload = { uploading: '', progress: '0' };

/** Uploads are workflows. */
const openApp = (options: { database?: string } = {}): Promise<TestApp> =>
  openTestApp({ ...options, worksOffJobs: true });

/** Calls on the lab's Redfish server. */
function callsOf(app: TestApp) {
  const { key } = app.lab.customer;
  const v2 = (method: string, params: Record<string, unknown> = {}): Promise<TestResponse<Envelope>> =>
    request<Envelope>(app, method, '/v2/device/iso', { key, params: { service: '1002', ...params } });
  const legacy = (action: string, params: Record<string, string> = {}): Promise<TestResponse<Envelope>> =>
    request<Envelope>(app, 'POST', '/ipmi/image', { key, form: { server, action, ...params } });
  const status = (): Promise<TestResponse<Envelope>> => request<Envelope>(app, 'GET', '/v2/device/iso/1002', { key });
  return { v2, legacy, status };
}

async function events(app: TestApp): Promise<unknown[]> {
  return (await listEvents(app, app.lab.customer.key))
    .filter(({ type }) => type.startsWith('device.image.'))
    .map(({ type, data, service }) => [type, data, service]);
}

/** Fetches like a BMC, which accepts any certificate. */
async function fetched(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  await using agent = disposable(new Agent({ connect: { rejectUnauthorized: false } }));
  const response = await fetchFrom(url, { dispatcher: agent.agent, headers, method });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
}
function disposable(agent: Agent) {
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() };
}

describeOnEngines('the image of a device', { postgres: 'in long runs' }, ({ newDatabase }) => {
  it('is uploaded, mounted, unmounted and kept, with the documented texts and events of both APIs', async () => {
    await using app = await openApp(await newDatabase());
    const { v2, legacy, status } = callsOf(app);
    const { drive } = app.equipment.redfish.simulator;
    assertResult(await legacy('status'), { image: '', mounted: '0' });
    assertResult(await status(), { image: '', mounted: '0', ...noUpload });
    assertRejected(await v2('PUT'), 409, 'state_conflict');
    assertRejected(await v2('DELETE'), 409, 'state_conflict');
    assertResult(await v2('POST', { image }), 'Image Uploaded');
    assert.equal(drive.image, undefined);
    assertResult(await legacy('status'), { image, mounted: '0' });
    assertRejected(await legacy('unmountImage'), 409);
    assertResult(await v2('PUT'), 'Image Mounted');
    assert.match(drive.image ?? '', new RegExp(`^https://127\\.0\\.0\\.1:\\d+/media/[a-z2-7]{40}/${image}$`));
    assertResult(await legacy('status'), { image, mounted: '1' });
    assertResult(await status(), { image, mounted: '1', ...noUpload });
    const link = drive.image;
    assertResult(await v2('PUT'), 'Image Mounted');
    assert.equal(drive.image, link, 'a mounted image stays mounted');
    assert.match(assertRejected(await v2('POST', { image: other }), 409, 'state_conflict'), /Unmount/);
    assertRejected(await legacy('setImage', { image: other }), 409);
    assertResult(await v2('DELETE'), 'Image Unmounted');
    assert.equal(drive.image, undefined);
    assertResult(await legacy('status'), { image, mounted: '0' });
    assertResult(await legacy('setImage', { image: other }), 'Image Set');
    assertResult(await legacy('mountImage'), 'Image Mounted');
    assertResult(await legacy('unmountImage'), 'Image Unmounted');
    assert.deepEqual(await events(app), [
      ['device.image.mounted', { image }, '1002'],
      ['device.image.unmounted', { image }, '1002'],
      ['device.image.mounted', { image: other }, '1002'],
      ['device.image.unmounted', { image: other }, '1002'],
    ]);
  });

  it('is read from the BMC, whatever an interrupted call has left behind', async () => {
    await using app = await openApp(await newDatabase());
    const { v2, legacy } = callsOf(app);
    const { simulator } = app.equipment.redfish;
    const { queries } = app.parts.store;
    const put = (state: 'Mounting' | 'Unmounting') => queries.updateTable('device_images').set({ state }).execute();
    await v2('POST', { image });
    await v2('PUT');
    // Killed after the BMC had done it, but before it was recorded.
    await put('Mounting');
    assertResult(await legacy('status'), { image, mounted: '1' });
    assertRejected(await v2('POST', { image: other }), 409);
    await put('Unmounting');
    assertResult(await v2('DELETE'), 'Image Unmounted');
    // Killed before the BMC received it.
    await put('Mounting');
    assertResult(await legacy('status'), { image, mounted: '0' });
    assertResult(await v2('PUT'), 'Image Mounted');
    // A BMC that restarts forgets it.
    simulator.drive.eject();
    assertResult(await legacy('status'), { image, mounted: '0' });
    assertRejected(await v2('DELETE'), 409);
    const row = await deviceImageFind(queries, 1 as AccountId, 1002);
    assert.deepEqual([row?.state, row?.link_hash], ['Set', null]);
  });

  it('is changed by one call at a time', async () => {
    await using app = await openApp(await newDatabase());
    const { v2 } = callsOf(app);
    await v2('POST', { image });
    const responses = await Promise.all([v2('PUT'), v2('PUT'), v2('PUT')]);
    for (const response of responses) assertResult(response, 'Image Mounted');
    assert.equal((await events(app)).length, 1);
  });
});

describe('the image of a device', { concurrency: 2 }, () => {
  it('is served to the BMC under its link only, in ranges, until it is unmounted', async () => {
    await using app = await openApp();
    const { v2 } = callsOf(app);
    await v2('POST', { image });
    await v2('PUT');
    const link = app.equipment.redfish.simulator.drive.image!;
    const fullImage = await fetched(link);
    assert.deepEqual([fullImage.status, fullImage.headers['accept-ranges']], [200, 'bytes']);
    const part = await fetched(link, { range: 'bytes=32768-34815' });
    assert.deepEqual(
      [part.status, part.headers['content-range']],
      [206, `bytes 32768-34815/${fullImage.bytes.length}`],
    );
    assert.deepEqual(part.bytes, fullImage.bytes.subarray(32_768, 34_816));
    assert.equal(part.bytes.toString('latin1', 1, 6), 'CD001');
    const head = await fetched(link, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(fullImage.bytes.length)]);
    assert.equal((await fetched(link, { range: 'bytes=99999999-' })).status, 416);
    const { origin, pathname } = new URL(link);
    const secret = pathname.split('/')[2]!;
    const otherPaths = [
      '/',
      '/media',
      `/media/${secret}`,
      `/media/${secret}/`,
      `/media/${secret}/${other}`,
      `/media/${secret}/..%2flab.json`,
      `/media/${secret.replace(/./, (first) => (first === 'a' ? 'b' : 'a'))}/${image}`,
      `/media/${'a'.repeat(300)}/${image}`,
    ];
    for (const path of otherPaths) {
      const response = await fetched(`${origin}${path}`);
      assert.deepEqual([response.status, response.bytes.length], [404, 0], path);
    }
    const before = await app.parts.store.queries.selectFrom('device_images').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(before), new RegExp(secret), 'the database does not contain the secret');
    await v2('DELETE');
    assert.equal((await fetched(link)).status, 404);
  });

  it('is booted by the server', async () => {
    await using app = await openApp();
    const { v2 } = callsOf(app);
    const { key } = app.lab.customer;
    const { serial } = app.equipment.redfish.simulator;
    let printed = '';
    serial.listen((text) => (printed += text));
    await v2('POST', { image });
    await v2('PUT');
    const power = (method: string, params: Record<string, unknown>) =>
      request<Envelope>(app, method, '/v2/device/power', { key, params: { service: '1002', ...params } });
    assertResult(await power('PUT', { request: 'cdrom' }), 'Set Boot Device to cdrom');
    assertResult(await power('POST', { action: 'reboot' }), 'Chassis Power Control: Reset');
    await until(() => printed.includes('Live system of HOSTYARD_LAB'));
  });

  it('comes from the list, which has only what a device can mount', async () => {
    await using app = await openApp();
    const { v2, legacy } = callsOf(app);
    const { key } = app.lab.customer;
    const listed = async (path: string, params = {}, caller = key): Promise<string[]> => {
      const entries = await requestResult<{ value: string }[]>(app, 'GET', path, { key: caller, params });
      return entries.map(({ value }) => value);
    };
    const forMachines = isoNames.filter((name) => !name.startsWith('OS-H'));
    assert.deepEqual(await listed('/v2/device/iso'), isoNames);
    assert.deepEqual(await listed('/v2/device/iso', { service: '1002' }), isoNames);
    assert.deepEqual(await listed('/v2/device/iso', { service: '2001' }), forMachines);
    assert.deepEqual(await listed('/vps/iso'), forMachines);
    const { stranger } = app.lab;
    for (const params of [{}, { service: stranger.service }])
      assert.deepEqual(await listed('/v2/device/iso', params, stranger.key), [], 'its BMC has no virtual media');
    assert.deepEqual(await listed('/vps/iso', {}, stranger.key), [], 'it has no virtual machine');
    for (const name of [isoNames[0]!, isoNames.at(-1)!])
      assertResult(await legacy('setImage', { image: name }), 'Image Set');
    const mount = (value: string) =>
      request<Envelope>(app, 'POST', '/vps/iso', { key, form: { vmid: '101', image: value } });
    assertRejected(await mount('OS-H-6.1-install-cd.iso'), 422);
    assertRejected(await v2('POST', { image: '' }), 400);
    const names = (message: string, values: readonly string[]): void =>
      assert.deepEqual(message.match(/OS-[^,]*\.iso/g), values, message);
    for (const name of ['OS-Z.iso', image.toLowerCase(), '../lab.json'])
      names(assertRejected(await v2('POST', { image: name }), 422, 'not_in_catalogue'), isoNames);
    names(assertRejected(await legacy('setImage', { image: 'OS-Z.iso' }), 422), isoNames);
    names(assertRejected(await mount('OS-Z.iso'), 422), forMachines);
    assert.match(assertRejected(await legacy('setImage'), 400), /image is required with setImage/);
    assertRejected(await request<Envelope>(app, 'GET', '/v2/device/iso', { key, params: { service: '1101' } }), 404);
    assertRejected(
      await request<Envelope>(app, 'POST', '/v2/device/iso', { key, params: { service: '1101', image } }),
      404,
    );
  });

  it("may be the provider's own, for some devices, and a built-in name may have no file", async () => {
    await using app = await openApp();
    const { v2 } = callsOf(app);
    const { disc: file } = app.equipment;
    const images = [
      { value: 'acme-1.0.iso', name: 'Acme 1.0', file },
      { value: 'machines-only.iso', file, devices: ['vps' as const, 'cloud' as const] },
      { value: 'altered.iso', file, sha256: '0'.repeat(64) },
    ];
    await applySiteWithReport(app.parts, { ...app.site, images }, 'used');
    assertResult(await v2('GET'), [{ name: 'Acme 1.0', value: 'acme-1.0.iso' }]);
    assertResult(await v2('POST', { image: 'acme-1.0.iso' }), 'Image Uploaded');
    assertResult(await v2('PUT'), 'Image Mounted');
    assertResult(await v2('DELETE'), 'Image Unmounted');
    assert.match(assertRejected(await v2('POST', { image }), 422, 'not_in_catalogue'), /no file for this image/);
    assertRejected(await v2('POST', { image: 'machines-only.iso' }), 422, 'not_in_catalogue');
    assert.match(assertRejected(await v2('POST', { image: 'altered.iso' }), 422, 'not_in_catalogue'), /no file/);
    await applySiteWithReport(app.parts, { ...app.site, images: [] }, 'used');
    assertRejected(await v2('PUT'), 422, 'not_in_catalogue');
  });

  it('is a 422 that names the missing drive on a BMC without one', async () => {
    await using app = await openApp();
    const { key } = app.lab.stranger;
    for (const [method, params] of [
      ['POST', { image }],
      ['PUT', {}],
      ['DELETE', {}],
    ] as const) {
      const response = await request<Envelope>(app, method, '/v2/device/iso', {
        key,
        params: { service: app.lab.stranger.service, ...params },
      });
      assert.match(assertRejected(response, 422, 'capability_missing'), /virtual media/);
    }
    const form = { server: 'dc01r02ds01', action: 'setImage', image };
    assertRejected(await request<Envelope>(app, 'POST', '/ipmi/image', { key, form }), 422);
    const status = { server: 'dc01r02ds01', action: 'status' };
    assertResult(await request<Envelope>(app, 'POST', '/ipmi/image', { key, form: status }), {
      image: '',
      mounted: '0',
    });
  });

  it('reaches a server through Redfish that is otherwise behind IPMI', async () => {
    await using app = await openApp();
    const { key } = app.lab.customer;
    const send = (action: string, params = {}) =>
      request<Envelope>(app, 'POST', '/ipmi/image', { key, form: { server: 'dc01r01ds01', action, ...params } });
    assertResult(await send('setImage', { image }), 'Image Set');
    assertResult(await send('mountImage'), 'Image Mounted');
    assert.notEqual(app.equipment.secondaryRedfish.simulator.drive.image, undefined);
    assertResult(await send('unmountImage'), 'Image Unmounted');
    assert.equal(app.equipment.secondaryRedfish.simulator.drive.image, undefined);
  });

  it('is uploaded only if the BMC has fetched it: otherwise the call fails, and everything is as before', async () => {
    await using app = await openApp();
    const { v2, legacy, status } = callsOf(app);
    const { simulator } = app.equipment.redfish;
    const { drive } = simulator;
    const { media } = app.parts;
    const { url } = media;
    media.url = 'https://127.0.0.1:9';
    assert.match(assertRejected(await v2('POST', { image }), 502, 'bmc_error'), /could not load/);
    media.url = url;
    assertResult(await legacy('status'), { image: '', mounted: '0' });
    assertResult(await v2('POST', { image }), 'Image Uploaded');
    assert.equal(drive.image, undefined);
    simulator.setMalfunctions({ fetchesNothing: true });
    const unfetched = v2('POST', { image: other });
    await until(() => drive.image !== undefined);
    assertResult(await status(), { image, mounted: '0', uploading: other, progress: '0' });
    app.pass(20_000);
    assert.match(assertRejected(await unfetched, 502, 'bmc_error'), /did not fetch/);
    await until(() => drive.image === undefined);
    const { queries } = app.parts.store;
    const { disc } = app.equipment;
    const { size } = statSync(disc);
    const stalled = v2('POST', { image: other });
    await until(() => drive.image !== undefined);
    const halfway = { answered: 1, copy: 'Running', sent_bytes: size / 2, sent_at: app.parts.clock.now() } as const;
    await queries.updateTable('image_uploads').set(halfway).execute();
    assertResult(await status(), { image, mounted: '0', uploading: other, progress: '50' });
    app.pass(70_000);
    assert.match(assertRejected(await stalled, 502, 'bmc_error'), /stopped fetching/);
    await until(() => drive.image === undefined);
    simulator.setMalfunctions({ copiesMedia: true });
    const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
    utimesSync(disc, anHourAgo, anHourAgo);
    assertResult(await v2('POST', { image: other }), 'Image Uploaded');
    assert.equal(drive.copied?.length, size, 'the BMC has the whole image');
    // Changed after it was verified, in a way that cannot be noticed.
    writeFileSync(disc, Buffer.alloc(size));
    utimesSync(disc, anHourAgo, anHourAgo);
    assert.match(assertRejected(await v2('POST', { image }), 502, 'bmc_error'), /changed while/);
    await until(async () => (await queries.selectFrom('image_uploads').selectAll().execute()).length === 0);
    assert.equal(drive.image, undefined);
    // Something that the customer mounted in the BMC's own page is not ejected.
    await drive.insert('https://203.0.113.1/theirs.iso', 'blindly');
    assert.match(assertRejected(await v2('POST', { image }), 409, 'state_conflict'), /Hostyard did not mount/);
    assert.equal(drive.image, 'https://203.0.113.1/theirs.iso');
    drive.eject();
    assertResult(await status(), { image: other, mounted: '0', ...noUpload });
  });

  it('is not reported as mounted if the BMC goes silent or cannot load it', async () => {
    await using app = await openApp();
    const { v2, legacy } = callsOf(app);
    const { simulator } = app.equipment.redfish;
    await v2('POST', { image });
    const media = app.parts.media;
    const { url } = media;
    media.url = 'https://127.0.0.1:9';
    assert.match(assertRejected(await v2('PUT'), 502, 'bmc_error'), /could not load/);
    media.url = url;
    assertResult(await legacy('status'), { image, mounted: '0' });
    simulator.setMalfunctions({ isSilent: true });
    assertRejected(await v2('PUT'), 504, 'bmc_unreachable');
    simulator.setMalfunctions({});
    assertResult(await v2('PUT'), 'Image Mounted');
  });

  it('works for a virtual machine too', async () => {
    await using app = await openApp();
    const { key } = app.lab.customer;
    const node = app.equipment.hypervisor.simulator;
    const iso = (method: string, params: Record<string, string> = {}) =>
      request<Envelope>(app, method, '/v2/device/iso', { key, params: { service: '2001', ...params } });
    const inside = () => node.machines.get('vm-101')?.state.image;
    assertRejected(await iso('PUT'), 409);
    assertResult(await iso('POST', { image }), 'Image Uploaded');
    assert.equal(inside(), undefined);
    assertResult(await iso('PUT'), 'Image Mounted');
    assert.equal(inside(), app.equipment.disc);
    assertRejected(await iso('POST', { image: other }), 409);
    assertResult(await iso('DELETE'), 'Image Unmounted');
    assert.equal(inside(), undefined);
    const mount = (value: string) =>
      request<Envelope>(app, 'POST', '/vps/iso', { key, form: { vmid: '101', image: value } });
    assertResult(await mount(image), 'Image Mounted');
    assertResult(await mount(other), 'Image Mounted');
    for (const response of await Promise.all([image, other].map(mount))) assertResult(response, 'Image Mounted');
    assertResult(await mount(other), 'Image Mounted');
    assertRejected(await mount('OS-Z.iso'), 422);
    assert.notEqual(inside(), undefined, 'a mounted image stays mounted');
    const status = () => request<Envelope>(app, 'GET', '/v2/device/iso/2001', { key });
    assertResult(await status(), { image: other, mounted: '1', ...noUpload });
    // Staff, or the machine itself, may have ejected or exchanged it.
    for (const actual of [undefined, '/srv/another.iso']) {
      const { state } = node.machines.get('vm-101')!;
      if (actual === undefined) delete state.image;
      else state.image = actual;
      assertResult(await status(), { image: other, mounted: '0', ...noUpload });
    }
    assertRejected(await iso('DELETE'), 409);
    assertResult(await mount(other), 'Image Mounted');
    assertResult(await status(), { image: other, mounted: '1', ...noUpload });
    node.setMalfunctions({ isDown: true });
    assertRejected(await status(), 504, 'node_unreachable');
  });
});
