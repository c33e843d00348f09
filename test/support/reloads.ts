// A dedicated server that boots over the network: the yard with a boot server beside it, and an installer that the story plays by
// itself, link by link, as a real one would.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySite, applyWithin } from '#app/site/apply.ts';
import { nameOf } from '#app/site/settings.ts';
import type { Site } from '#contract/site.ts';
import { startBootServer } from '#http/boot/server.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { deviceOf, type TestDevice } from './devices.ts';
import { temporaryFolder } from './folder.ts';
import { request } from './request.ts';
import { until } from './until.ts';
import { openTestYard, type TestYardOptions } from './yard.ts';

type Timeouts = NonNullable<NonNullable<Site['boot']>['timeouts']>;

export const bootMac = '52:54:00:00:10:01';

export interface ReloadStory extends TestDevice {
  /** Where its servers fetch what they boot. */
  readonly bootUrl: string;
  /** As PUT /v2/device/reload answers it. */
  status(): Promise<string>;
  /** A call after which the server boots from the network. */
  begin(path: 'reload' | 'rescue' | 'password'): Promise<string>;
  /** Waits until the server has booted from the network since, and plays what it boots there. */
  booted(): Promise<Installer>;
  /** The site file, changed. */
  apply(change: (site: Site) => Site): Promise<void>;
  /** How many seconds the phases of the next boots have. */
  allow(timeouts: Timeouts): Promise<void>;
  /** What the server runs, what it would boot next, whether anything still holds it. */
  look(): Promise<ServerLook>;
  events(): Promise<{ type: string; data: Record<string, unknown> }[]>;
}
export interface ServerLook {
  readonly power: string;
  readonly runs: string;
  readonly nextBoot: string;
  readonly locked: boolean;
}
export const onItsDisk: ServerLook = { power: 'on', runs: 'disk', nextBoot: 'none', locked: false };

export interface Installer {
  readonly script: string;
  /** Under which all its files are. */
  readonly link: string;
  fetch(file: string): Promise<{ status: number; text: string }>;
  report(phase: string, more?: Record<string, string>): Promise<number>;
}

export async function openReloadStory(options: TestYardOptions = {}): Promise<ReloadStory> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('reloads'));
  const yard = owned.use(await openTestYard({ worksOffJobs: true, ...options }));
  const boot = owned.use(await startBootServer(yard.parts, { listen: { host: '127.0.0.1', port: 0 }, boot: {} }));
  const site = bootable(yard.site, folder.path);
  // What a file leaves out stays: the lab's own systems are removed.
  const removed = new Set(yard.site.systems?.map(({ value }) => nameOf('systems', value)));
  await yard.parts.store.transaction((queries) => applyWithin(yard.parts, queries, site, removed));
  const device = deviceOf(yard);
  const bootUrl = `http://${boot.address}:${boot.port}`;
  const { chassis } = device.bmc;
  const boots = (): string[] =>
    chassis.events
      .filter(({ text }) => text.startsWith('boot from '))
      .map(({ text }) => text.slice('boot from '.length));
  const networkBoots = (): number => boots().filter((each) => each === 'pxe').length;
  let before = 0;
  const kept = owned.move();
  return {
    ...device,
    bootUrl,
    status: async () => (await device.v2('PUT', 'reload')).body.result as string,
    async begin(path) {
      before = networkBoots();
      const answer = await device.v2('POST', path, path === 'reload' ? { value: 'debian-12' } : {});
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result as string;
    },
    async booted() {
      await until(() => networkBoots() > before);
      return askedForScript(bootUrl);
    },
    apply: (change) => applySite(yard.parts, change(site)),
    allow: (timeouts) => applySite(yard.parts, { ...site, boot: { ...site.boot!, timeouts } }),
    look: async () => ({
      power: chassis.power,
      runs: boots().at(-1) ?? 'disk',
      nextBoot: chassis.bootFlags.isValid ? chassis.bootFlags.device : 'none',
      locked: (await deviceLockFind(yard.parts.store.queries, device.server, yard.parts.clock.now())) !== undefined,
    }),
    async events() {
      const path = `/v2/event?limit=1000&service=${device.service}`;
      const { key } = yard.lab.customer;
      const answer = await request<{ result: { events: { type: string; data: Record<string, unknown> }[] } }>(
        yard,
        'GET',
        path,
        { key },
      );
      return answer.body.result.events.map(({ type, data }) => ({ type, data }));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The lab's site with what network boot needs: a card and disks for the server, a gateway, systems of small files. */
export function bootable(site: Site, folder: string): Site {
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
        uuid: '8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001',
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

/** Asks for the script as the server's firmware does. */
export async function askedForScript(bootUrl: string): Promise<Installer> {
  const script = await (await fetch(`${bootUrl}/boot/ipxe/${encodeURIComponent(bootMac)}`)).text();
  const link = /http:\/\/\S+\/boot\/[0-9a-f]{64}/.exec(script)?.[0];
  assert.ok(link, script);
  return {
    script,
    link,
    async fetch(file) {
      const response = await fetch(`${link}/${file}`);
      return { status: response.status, text: await response.text() };
    },
    async report(phase, more = {}) {
      const response = await fetch(`${link}/report`, { method: 'POST', body: new URLSearchParams({ phase, ...more }) });
      await response.arrayBuffer();
      return response.status;
    },
  };
}
