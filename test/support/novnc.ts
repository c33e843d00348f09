// noVNC in a headless Chromium, looking at the WebSocket of a console ticket: what a customer's browser does. The page is of
// our own making and has nothing but noVNC on it.
//
//   await using browser = await openNoVnc(yard.url, (await ticketOf(…)).url);

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findBinary } from './needs.ts';

export interface NoVnc extends AsyncDisposable {
  /** What the machine calls its screen. */
  readonly name: string;
  /** How many points of the canvas are not black. */
  lit(): Promise<number>;
  type(text: string): Promise<void>;
}

const noVnc = join(import.meta.dirname, '..', '..', 'node_modules', '@novnc', 'novnc');
const deadlineMs = 60_000;
const settings = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-extensions'];

export async function openNoVnc(url: string, path: string): Promise<NoVnc> {
  await using owned = new AsyncDisposableStack();
  const pages = owned.use(await servePage(new URL(path, url.replace('http', 'ws')).href));
  const browser = await chromium.launch({ executablePath: findBinary('chromium')!, args: settings, headless: true });
  owned.defer(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(deadlineMs);
  await page.goto(pages.url);
  await page.waitForFunction('window.told.some(([kind]) => kind === "desktopname" || kind === "disconnect")');
  const name = await page.evaluate('Object.fromEntries(window.told).desktopname ?? JSON.stringify(window.told)');
  const kept = owned.move();
  return {
    name: String(name),
    lit: () => litPoints(page),
    async type(text) {
      await page.evaluate('window.rfb.focus()');
      await page.keyboard.type(text, { delay: 10 });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function litPoints(page: Page): Promise<number> {
  const counted = await page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let lit = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] > 0) lit++;
    return lit;
  })()`);
  return Number(counted);
}

const pageText = (socket: string): string => `<!doctype html><title>noVNC</title><div id="screen"></div>
<script type="module">
  import RFB from '/core/rfb.js';
  window.told = [];
  window.rfb = new RFB(document.getElementById('screen'), ${JSON.stringify(socket)}, { wsProtocols: ['binary'] });
  for (const kind of ['connect', 'desktopname', 'disconnect', 'securityfailure', 'credentialsrequired'])
    window.rfb.addEventListener(kind, ({ detail }) => window.told.push([kind, detail.name ?? JSON.stringify(detail)]));
</script>`;

async function servePage(socket: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = normalize(request.url ?? '/');
    if (path === '/') return void response.setHeader('content-type', 'text/html').end(pageText(socket));
    return void readFile(join(noVnc, path)).then(
      (file) => response.setHeader('content-type', 'text/javascript').end(file),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
