// Takes the screenshots of the panel for README and docs, on a temporary server after some activity: npx node
// scripts/pictures.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPanel } from '../test/support/panel.ts';
import { request, requestResult } from '../test/support/request.ts';
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
  { name: 'racks', panel: 'staff', path: '/staff/racks', scheme: 'dark', width: 1000, height: 1290 },
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
  await visit.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await visit.page.waitForTimeout(settleMs);
  await visit.page.screenshot({ path: join(folder, `${name}.png`) });
}
writeFileSync(join(folder, 'traffic-month.png'), await drawMonth(panel.server));

/** Returns the graph of a port that the API draws. */
async function drawMonth(server: Server): Promise<Buffer> {
  const end = Math.floor(Date.now() / 1000);
  const { result } = await requestResult<{ result: Record<string, Record<string, { graph: string }>> }>(
    server,
    'POST',
    '/v2/network/bandwidth/1001',
    { key: server.lab.customer.key, params: { start: end - 31 * 86_400, end } },
  );
  const [port] = Object.values(result).flatMap((ports) => Object.values(ports));
  return Buffer.from(port!.graph, 'base64');
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
  // Sensors are read less often.
  const haveSensors = async (): Promise<boolean> => {
    const racks = await requestResult<{ servers: string; power: { reporting: string } }[]>(
      server,
      'GET',
      '/operator/rack',
      {
        key: server.lab.operator.key,
      },
    );
    return racks.every(({ servers, power }) => power.reporting === servers);
  };
  await until(haveSensors, { patienceMs: 300_000 });
}
