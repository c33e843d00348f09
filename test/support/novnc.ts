// noVNC in a headless Chromium, looking at the WebSocket of a console ticket: what a customer's browser does. The page is of
// our own making and has nothing but noVNC on it. It is handed to the browser, which would give up fetching it when another
// test changes the host's addresses; the WebSocket it gives up then is opened again.
//
//   await using browser = await openNoVnc(yard.url, async () => (await ticketOf(…)).url);

import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { launchChromium } from './chromium.ts';

export interface NoVnc extends AsyncDisposable {
  /** What the machine calls its screen. */
  readonly name: string;
  /** How many points of the canvas are not black. */
  lit(): Promise<number>;
  /** What noVNC has told, and what the browser complained of. */
  seen(): Promise<string>;
  type(text: string): Promise<void>;
}

const noVnc = join(import.meta.dirname, '..', '..', 'node_modules', '@novnc', 'novnc');
const deadlineMs = 60_000;
const mostAttempts = 20;

/** The ticket is asked for when the browser is there to use it: both may take their time, and a ticket is good for a minute. */
export async function openNoVnc(url: string, ticket: () => Promise<string>): Promise<NoVnc> {
  await using owned = new AsyncDisposableStack();
  const browser = await launchChromium();
  owned.defer(() => browser.close());
  // A page that came from nowhere may else not call on this machine.
  const page = await browser.newPage({ permissions: ['local-network-access'] });
  page.setDefaultTimeout(deadlineMs);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('crash', () => complaints.push('the page crashed'));
  const seen = async (): Promise<string> =>
    JSON.stringify({ told: await page.evaluate('window.told').catch(String), complaints });
  const came = (condition: string): Promise<unknown> =>
    page.waitForFunction(condition).catch(async (cause: unknown) => {
      throw new Error(`noVNC did not come to ${condition}: ${await seen()}`, { cause });
    });
  await page.route('**/*', handOver);
  await page.goto(home);
  await came('window.watch !== undefined');
  const nameShown = async (attemptsLeft: number): Promise<string> => {
    await page.evaluate(`watch(${JSON.stringify(new URL(await ticket(), url.replace('http', 'ws')).href)})`);
    await came('told.some(([kind]) => kind === "desktopname" || kind === "disconnect")');
    const shown = await page.evaluate('Object.fromEntries(told).desktopname');
    if (shown !== undefined) return String(shown);
    const isDisturbed = complaints.some((complaint) => complaint.includes('ERR_NETWORK_CHANGED'));
    if (!isDisturbed || attemptsLeft === 0) throw new Error(`noVNC was turned away: ${await seen()}`);
    complaints.length = 0;
    return nameShown(attemptsLeft - 1);
  };
  const name = await nameShown(mostAttempts);
  const kept = owned.move();
  return {
    name,
    lit: () => litPoints(page),
    seen,
    async type(text) {
      await page.evaluate('rfb.focus()');
      await page.keyboard.type(text, { delay: 10 });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** None where there is no screen any more: who waits for points says what was there instead. */
async function litPoints(page: Page): Promise<number> {
  const counted = await page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    if (canvas === null || canvas.width === 0) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let lit = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] > 0) lit++;
    return lit;
  })()`);
  return Number(counted);
}

const home = 'http://127.0.0.1/';
const pageText = `<!doctype html><title>noVNC</title><div id="screen"></div>
<script type="module">
  import RFB from '/core/rfb.js';
  window.watch = (socket) => {
    window.told = [];
    window.rfb = new RFB(document.getElementById('screen'), socket, { wsProtocols: ['binary'] });
    for (const kind of ['connect', 'desktopname', 'disconnect', 'securityfailure', 'credentialsrequired'])
      window.rfb.addEventListener(kind, ({ detail }) => window.told.push([kind, detail.name ?? JSON.stringify(detail)]));
  };
</script>`;

async function handOver(route: Route): Promise<void> {
  const path = normalize(new URL(route.request().url()).pathname);
  if (path === '/') return route.fulfill({ contentType: 'text/html', body: pageText });
  const file = await readFile(join(noVnc, path)).catch(() => undefined);
  return file === undefined
    ? route.fulfill({ status: 404 })
    : route.fulfill({ contentType: 'text/javascript', body: file });
}
