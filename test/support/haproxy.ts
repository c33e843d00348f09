// HAProxy with the shipped configuration, without TLS and on the test's ports.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

export async function startHaproxy(nodes: readonly [string, string]): Promise<AsyncDisposable & { url: string }> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('haproxy'));
  const port = await freePort();
  const shipped = readFileSync(new URL('../../packaging/haproxy.cfg', import.meta.url), 'utf8');
  const adapted = shipped
    .replace('bind :443 ssl crt /etc/haproxy/hostyard.pem alpn http/1.1', `bind 127.0.0.1:${port}`)
    .replace('10.0.0.11:8080', nodes[0])
    .replace('10.0.0.12:8080', nodes[1]);
  // Ports of the test can begin with 443.
  assert.doesNotMatch(adapted, /10\.0\.0\.|:443\b/, 'every address was replaced');
  const file = join(folder.path, 'haproxy.cfg');
  writeFileSync(file, adapted);
  const daemon = owned.use(await startDaemon('haproxy', ['-db', '-f', file]));
  await until(() => isListening(port), { saw: () => daemon.output() });
  assert.doesNotMatch(daemon.output(), /WARNING.*config/, daemon.output());
  return withResources(owned, { url: `http://127.0.0.1:${port}` });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
