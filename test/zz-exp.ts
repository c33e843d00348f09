import { startLxd, lxdPool, lxdTemplate } from '#test/support/lxd.ts';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { currentOf, shape } from '#test/support/lxd-console.ts';
const t = () => AbortSignal.timeout(60000);
await using lxd = await startLxd();
await lxd.prepare();
await using node = await lxdDriver.open({ socket: lxd.socket, pool: lxdPool });
await node.machines.create('vm-1', shape, { id: 'one', template: lxdTemplate, hostname: 'a.example.com', rootPassword: 'x', addresses: [], nameServers: [] }, t());
const { name } = (await currentOf(lxd, 'vm-1'))!;
const { request } = await import('node:http');
const get = () => new Promise<string>((resolve) => request({ socketPath: lxd.socket, path: `/1.0/instances/${name}/console`, headers: { host: 'lxd' } }, (r) => { let s = ''; r.on('data', (d) => (s += d)); r.on('end', () => resolve(`${r.statusCode} ${s.length}`)); }).end());
const end = Date.now() + 250000;
for (let i = 0; Date.now() < end; i++) {
  const variant = i % 2;
  await node.power.set('vm-1', 'on', t());
  const early: string[] = [];
  if (variant === 1) for (let n = 0; n < 20; n++) early.push(await get());
  const start = Date.now();
  let last = '';
  while (Date.now() - start < 10000) { await new Promise((r) => setTimeout(r, 300)); last = await get(); if (last.startsWith('200')) break; }
  console.log(i, variant, Date.now() - start, last, early.join(' ').slice(0, 160));
  await node.power.set('vm-1', 'off', t());
}
