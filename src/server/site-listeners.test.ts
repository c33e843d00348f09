import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import type { App } from '#app/app.ts';
import { openNameServer } from './site-listeners.ts';

async function bind(port: number) {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

test('the name server of the lab listens on another port if its own is in use, that of a site does not', async () => {
  await using taken = await bind(0);
  const { port } = taken.address();
  const open: App['nameService']['open'] = async (settings) => {
    await using socket = await bind(Number(settings!.listen!.split(':')[1]));
    return socket.address();
  };
  const app = { nameService: { open } as App['nameService'] };
  const site = { names: ['ns1.example.net'], listen: `127.0.0.1:${port}` };
  const dns = await openNameServer(app, site, 'useAnother');
  assert.notEqual(dns!.port, port);
  await assert.rejects(openNameServer(app, site, 'fail'), { code: 'EADDRINUSE' });
});
