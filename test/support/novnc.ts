// noVNC in a headless Chromium on the WebSocket of a console ticket, like a customer's browser. The page contains only
// noVNC, served through the browser's own API.
//
//   await using browser = await openNoVnc(app.url, async () => (await ticketOf(…)).url);

import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { withResources } from './resources.ts';
import { recognizeText } from './screen-text.ts';

export interface NoVnc extends AsyncDisposable {
  /** The desktop name. */
  readonly name: string;
  /** Returns the number of canvas pixels that are not black. */
  lit(): Promise<number>;
  /** Returns the text on the canvas, if it is a text screen of ours. */
  text(): Promise<string>;
  /** Returns noVNC's events and the browser's errors. */
  log(): Promise<string>;
  type(text: string): Promise<void>;
}

const noVnc = join(import.meta.dirname, '..', '..', 'node_modules', '@novnc', 'novnc');
const deadlineMs = 60_000;

/** The ticket is requested when the browser is ready: both may take a while, and a ticket is valid for a minute. */
export async function openNoVnc(url: string, ticket: () => Promise<string>): Promise<NoVnc> {
  await using owned = new AsyncDisposableStack();
  const browser = await launchChromium();
  owned.defer(() => browser.close());
  // Without this permission, the page may not connect to loopback.
  const page = await browser.newPage({ permissions: ['local-network-access'] });
  page.setDefaultTimeout(deadlineMs);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('crash', () => complaints.push('the page crashed'));
  const log = async (): Promise<string> =>
    JSON.stringify({ rfbEvents: await page.evaluate('window.rfbEvents').catch(String), complaints });
  const untilHolds = (condition: string): Promise<unknown> =>
    page.waitForFunction(condition).catch(async (cause: unknown) => {
      throw new Error(`noVNC did not reach ${condition}: ${await log()}`, { cause });
    });
  await page.route('**/*', handOver);
  await page.goto(home);
  await untilHolds('window.watch !== undefined');
  await page.evaluate(`watch(${JSON.stringify(new URL(await ticket(), url.replace('http', 'ws')).href)})`);
  await untilHolds('rfbEvents.some(([kind]) => kind === "desktopname" || kind === "disconnect")');
  const name = await page.evaluate<string | undefined>('Object.fromEntries(rfbEvents).desktopname');
  if (name === undefined) throw new Error(`noVNC was rejected: ${await log()}`);
  return withResources(owned, {
    name,
    lit: () => litPoints(page),
    async text() {
      // As a string with a character per colour, because an array would take seconds.
      const [width, picture] = await page.evaluate<[number, string]>(`(() => {
        const { width, height } = document.querySelector('canvas');
        const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
        const numbers = new Map();
        let picture = '';
        for (const colour of new Uint32Array(data.buffer)) {
          if (!numbers.has(colour)) numbers.set(colour, numbers.size);
          picture += String.fromCharCode(numbers.get(colour));
        }
        return [width, picture];
      })()`);
      return recognizeText(Uint32Array.from(Buffer.from(picture, 'latin1')), width);
    },
    log,
    async type(text) {
      await page.evaluate('rfb.focus()');
      await page.keyboard.type(text, { delay: 10 });
    },
  });
}

/** Returns 0 if there is no canvas, so that the failure message shows the state instead. */
export async function litPoints(page: Page): Promise<number> {
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
    window.rfbEvents = [];
    window.rfb = new RFB(document.getElementById('screen'), socket, { wsProtocols: ['binary'] });
    for (const kind of ['connect', 'desktopname', 'disconnect', 'securityfailure', 'credentialsrequired'])
      window.rfb.addEventListener(kind, ({ detail }) => window.rfbEvents.push([kind, detail.name ?? JSON.stringify(detail)]));
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
