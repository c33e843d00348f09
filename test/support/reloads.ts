// A dedicated server that boots over the network: an app with a boot server, and an installer that the test drives
// request by request, like a real one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { applySite, applyWithin } from '#app/site/apply.ts';
import { entryName } from '#app/site/settings.ts';
import type { Site } from '#contract/site/site.ts';
import { startBootServer } from '#http/boot/boot-server.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { deviceOf, type TestDevice } from './devices.ts';
import { temporaryFolder } from './folder.ts';
import { listEvents } from './event-stream.ts';
import { until } from './until.ts';
import { openTestApp, type TestAppOptions } from './app.ts';
import { withResources } from './resources.ts';

type Timeouts = NonNullable<NonNullable<Site['boot']>['timeouts']>;

export const bootMac = '52:54:00:00:10:01';
export const bootUuid = '8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001';

export interface ReloadFixture extends TestDevice {
  /** Where its servers fetch their boot files. */
  readonly bootUrl: string;
  /** The status in the response of PUT /v2/device/reload. */
  status(): Promise<string>;
  /** Makes the call that boots the server from the network. */
  begin(path: 'reload' | 'rescue' | 'password'): Promise<string>;
  /** Waits until the server has booted from the network since then. */
  poweredOn(): Promise<void>;
  /** Then acts as what it boots. */
  booted(): Promise<Installer>;
  /** Applies a changed site file. */
  apply(change: (site: Site) => Site): Promise<void>;
  /** Sets the time limits of the phases of later boots, in seconds. */
  allow(timeouts: Timeouts): Promise<void>;
  /** Returns what the server runs, what it boots next, and whether it is locked. */
  look(): Promise<ServerInspection>;
  events(): Promise<{ type: string; data: Record<string, unknown> }[]>;
}
export interface ServerInspection {
  readonly power: string;
  readonly runs: string;
  readonly nextBoot: string;
  readonly locked: boolean;
}
export const runningFromDisk: ServerInspection = { power: 'on', runs: 'disk', nextBoot: 'none', locked: false };

export interface Installer {
  readonly script: string;
  /** Base URL of all its files. */
  readonly link: string;
  fetch(file: string): Promise<{ status: number; text: string }>;
  report(phase: string, more?: Record<string, string>): Promise<number>;
}

export async function openReloadFixture(options: TestAppOptions = {}): Promise<ReloadFixture> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('reloads'));
  const app = owned.use(await openTestApp({ worksOffJobs: true, ...options }));
  const boot = owned.use(await startBootServer(app.parts, { listen: { host: '127.0.0.1', port: 0 }, boot: {} }));
  const site = bootableSite(app.site, folder.path);
  // Omitting something in a site file keeps it, so the lab's own systems are removed explicitly.
  const removed = new Set(app.site.systems?.map(({ value }) => entryName('systems', value)));
  await app.parts.store.transaction((queries) => applyWithin(app.parts, queries, site, removed));
  const device = deviceOf(app);
  const bootUrl = `http://${boot.address}:${boot.port}`;
  const { chassis } = device.bmc;
  const boots = (): string[] =>
    chassis.events
      .filter(({ text }) => text.startsWith('boot from '))
      .map(({ text }) => text.slice('boot from '.length));
  const networkBoots = (): number => boots().filter((target) => target === 'pxe').length;
  let before = 0;
  const poweredOn = (): Promise<void> => until(() => networkBoots() > before);
  return withResources(owned, {
    ...device,
    bootUrl,
    status: async () => (await device.v2('PUT', 'reload')).body.result as string,
    async begin(path) {
      before = networkBoots();
      const response = await device.v2('POST', path, path === 'reload' ? { value: 'debian-12' } : {});
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return response.body.result as string;
    },
    poweredOn,
    async booted() {
      await poweredOn();
      const installer = await requestScript(bootUrl);
      await installer.fetch('kernel');
      return installer;
    },
    apply: (change) => applySite(app.parts, change(site)),
    allow: (timeouts) => applySite(app.parts, { ...site, boot: { ...site.boot!, timeouts } }),
    look: async () => ({
      power: chassis.power,
      runs: boots().at(-1) ?? 'disk',
      nextBoot: chassis.bootFlags.isValid ? chassis.bootFlags.device : 'none',
      locked: (await deviceLockFind(app.parts.store.queries, device.server, app.parts.clock.now())) !== undefined,
    }),
    async events() {
      const events = await listEvents(app, app.lab.customer.key, { limit: 1000, service: device.service });
      return events.map(({ type, data }) => ({ type, data }));
    },
  });
}

/** The lab's site with what a network boot needs: a network card and disks, a gateway, and systems with small files. */
export function bootableSite(site: Site, folder: string): Site {
  const file = (name: string): { file: string } => {
    const path = join(folder, name);
    writeFileSync(path, `the ${name}`);
    return { file: path };
  };
  const kernel = file('kernel');
  const initrd = file('initrd');
  const debian = {
    kind: 'preseed' as const,
    kernel,
    initrd,
    mirror: 'http://deb.example.net/debian',
    release: 'bookworm',
  };
  const [first, ...others] = site.servers ?? [];
  return {
    ...site,
    boot: { listen: '127.0.0.1:0', nameservers: ['203.0.113.53'] },
    systems: [
      { name: 'Debian 12', value: 'debian-12', pxe: 149, ...debian },
      { name: 'UEFI system', value: 'uefi-only', ...debian, firmware: 'uefi' },
      { name: 'Large system', value: 'large', ...debian, leastDiskGb: 8000 },
      { name: 'Rescue', value: 'rescue', pxe: 11, kind: 'rescue', kernel, initrd },
    ],
    servers: [
      {
        ...first!,
        macs: [bootMac],
        uuid: bootUuid,
        disks: [
          { serial: 'LAB-SSD-1', sizeGb: 480 },
          { serial: 'LAB-HDD-1', sizeGb: 4000, preserve: true },
        ],
      },
      ...others,
    ],
    netblocks: (site.netblocks ?? []).map((block) =>
      block.cidr === '203.0.113.0/24' ? { ...block, gateway: '203.0.113.1' } : block,
    ),
  };
}

/** Sends a request to the boot server from this address of the loopback network. */
export async function sendFrom(
  localAddress: string,
  url: string,
  body?: URLSearchParams,
): Promise<{ status: number; text: string }> {
  const sent = request(url, { localAddress, method: body === undefined ? 'GET' : 'POST' });
  sent.end(body?.toString());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: await text(response) };
}

/** Requests the boot script as firmware does. */
export async function askForScript(bootUrl: string, from: string, mac = bootMac): Promise<string> {
  return (await sendFrom(from, `${bootUrl}/boot/ipxe/${encodeURIComponent(mac)}?uuid=${bootUuid}`)).text;
}

/** Requests the boot script, which must be there. */
export async function requestScript(bootUrl: string, from = '127.0.0.1'): Promise<Installer> {
  const script = await askForScript(bootUrl, from);
  const link = linkIn(script);
  assert.ok(link, script);
  return { ...installerAt(link, from), script };
}

/** Returns undefined if the script boots the disk. */
export function linkIn(script: string): string | undefined {
  return /http:\/\/\S+\/boot\/[0-9a-f]{64}/.exec(script)?.[0];
}

/** Acts as the installer with these links, from any address. */
export function installerAt(link: string, from = '127.0.0.1'): Installer {
  return {
    script: '',
    link,
    fetch: (file) => sendFrom(from, `${link}/${file}`),
    report: async (phase, more = {}) =>
      (await sendFrom(from, `${link}/report`, new URLSearchParams({ phase, ...more }))).status,
  };
}
