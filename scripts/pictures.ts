// Takes the pictures of the panel that README and docs show, on a server of its own: node scripts/pictures.ts
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPanel } from '../test/support/panel.ts';

interface Picture {
  readonly name: string;
  readonly face: 'customer' | 'staff';
  readonly path: string;
  readonly scheme: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

const pictures: readonly Picture[] = [
  { name: 'overview', face: 'customer', path: '/', scheme: 'light' },
  { name: 'server', face: 'customer', path: '/servers/1001', scheme: 'light' },
  { name: 'traffic', face: 'customer', path: '/servers/1001#network', scheme: 'dark' },
  { name: 'attack', face: 'customer', path: '/network', scheme: 'light' },
  { name: 'racks', face: 'staff', path: '/staff/racks', scheme: 'dark' },
  { name: 'phone', face: 'customer', path: '/servers', scheme: 'light', width: 390, height: 760 },
];
/** Graphs are drawn a moment after their page. */
const settleMs = 3000;

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
await using panel = await openPanel();
for (const { name, face, path, scheme, ...size } of pictures) {
  await using visit = await panel.visit({ width: 1280, height: 800, ...size });
  const { lab } = panel.server;
  await visit.holdKey(face, face === 'staff' ? lab.operator.key : lab.customer.key);
  await visit.page.emulateMedia({ colorScheme: scheme });
  await visit.go(path);
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
  await visit.page.waitForTimeout(settleMs);
  await visit.page.screenshot({ path: join(folder, `${name}.png`) });
}
