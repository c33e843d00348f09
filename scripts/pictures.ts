// Takes the screenshots of the panel for README and docs, on a temporary server after some activity: npx node
// scripts/pictures.ts
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPanel } from '../test/support/panel.ts';
import { request } from '../test/support/request.ts';
import type { Server } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';

interface Picture {
  readonly name: string;
  readonly panel: 'customer' | 'staff';
  readonly path: string;
  readonly scheme: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

const pictures: readonly Picture[] = [
  { name: 'overview', panel: 'customer', path: '/', scheme: 'light' },
  { name: 'server', panel: 'customer', path: '/servers/1001', scheme: 'light' },
  { name: 'traffic', panel: 'customer', path: '/servers/1001#network', scheme: 'dark' },
  { name: 'attack', panel: 'customer', path: '/network', scheme: 'light' },
  { name: 'racks', panel: 'staff', path: '/staff/racks', scheme: 'dark', width: 1000, height: 1230 },
  { name: 'phone', panel: 'customer', path: '/servers', scheme: 'light', width: 390, height: 760 },
];
/** Graphs are drawn shortly after the page. */
const settleMs = 3000;

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
await using panel = await openPanel();
await createActivity(panel.server);
for (const { name, panel: role, path, scheme, ...size } of pictures) {
  await using visit = await panel.visit({ width: 1280, height: 800, ...size });
  const { lab } = panel.server;
  await visit.holdKey(role, role === 'staff' ? lab.operator.key : lab.customer.key);
  await visit.page.emulateMedia({ colorScheme: scheme });
  await visit.go(path);
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
  await visit.page.waitForTimeout(settleMs);
  await visit.page.screenshot({ path: join(folder, `${name}.png`) });
}

async function createActivity(server: Server): Promise<void> {
  const { key } = server.lab.customer;
  const changes = [
    ['PUT', '/v2/dns/reverse', { ip: '203.0.113.10', record: 'web1.example.net' }],
    ['POST', '/v2/dns/domain', { domain: 'example.org' }],
    ['POST', '/v2/device/power', { service: 1001, action: 'cycle' }],
  ] as const;
  for (const [method, path, params] of changes) {
    const { status, body } = await request(server, method, path, { key, params });
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  }
  await until(async () => {
    const { body } = await request<{ result: { power: string }[] }>(server, 'GET', '/v2/device/state', { key });
    return body.result.every(({ power }) => power === 'on');
  });
}
