// A headless Chromium in a separate network namespace. In the machine's namespace it would drop its requests whenever
// another test changes the machine's addresses (net::ERR_NETWORK_CHANGED). It reaches the servers of the test through a
// SOCKS proxy in this process, behind a Unix socket.
import { chmod, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { temporaryFolder } from './folder.ts';
import { findBinary, needs, type SuiteOptions } from './needs.ts';

/** Without a browser's own windows, whose pages take longer to load than those of the panel. */
const browserProgram = 'chromium-headless-shell';
const launchMs = 90_000;
const settings = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-extensions'];
const isolation = process.getuid?.() === 0 ? '--net' : '--map-root-user --net';
const program = join(import.meta.dirname, 'chromium-namespace.ts');

export function needsChromium(...programs: string[]): SuiteOptions {
  return needs(browserProgram, 'unshare', 'ip', ...programs);
}

export async function launchChromium(): Promise<Browser> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('chromium')).path;
  const socket = join(folder, 'proxy');
  const proxy = await startProxy(socket);
  owned.defer(() => void proxy.close());
  const executablePath = join(folder, 'chromium');
  const command = `unshare ${isolation} -- ${process.execPath} ${program} ${socket} ${findBinary(browserProgram)!}`;
  await writeFile(executablePath, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(executablePath, 0o755);
  const browser = await chromium.launch({
    executablePath,
    args: settings,
    timeout: launchMs,
    proxy: { server: 'socks5://127.0.0.1:1080' },
  });
  const resources = owned.move();
  browser.on('disconnected', () => void resources.disposeAsync());
  return browser;
}

async function startProxy(path: string): Promise<Server> {
  const server = createServer((client) => void forward(client).catch(() => client.destroy())).listen(path);
  await once(server, 'listening');
  return server.unref();
}

/** Serves one SOCKS 5 connection (RFC 1928): Chromium sends an IPv4 address or a name, and waits for every reply. */
async function forward(client: Socket): Promise<void> {
  await once(client, 'data');
  client.write(Uint8Array.of(5, 0));
  const [request] = (await once(client, 'data')) as [Buffer];
  const host = request[3] === 1 ? request.subarray(4, 8).join('.') : request.toString('latin1', 5, request.length - 2);
  // Browsers resolve these names themselves, except behind a proxy; the system may not.
  const address = host.endsWith('.localhost') ? '127.0.0.1' : host;
  const target = connect(request.readUInt16BE(request.length - 2), address);
  target.on('error', () => client.destroy());
  client.on('error', () => target.destroy());
  client.on('close', () => target.destroy());
  await once(target, 'connect');
  client.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
  client.pipe(target).pipe(client);
}
