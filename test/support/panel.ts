// The panel in Debian's Chromium, on a server that was started as a newcomer starts it. What goes wrong in the page itself, a
// script that fails or something that its policy refuses, fails the story that it happened in.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { startServer, type Server } from './server.ts';

/** A page waits for an answer, and the answer for a core. */
const patienceMs = 60_000;
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Where the panel keeps who is signed in. */
const place = 'hostyard.session';
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Any Hostyard that a browser can be sent to; the lab unless told. */
type Site = { readonly url: string } & AsyncDisposable;

export interface Panel<S extends Site = Server> extends AsyncDisposable {
  readonly server: S;
  /** A browser of its own, in which nobody is signed in. */
  visit(options?: { readonly width?: number; readonly height?: number }): Promise<Visit>;
}
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** To an address below /panel. */
  go(path: string): Promise<void>;
  /** Puts a key where signing in puts it. */
  holdKey(face: 'customer' | 'staff', key: string): Promise<void>;
  /** What axe has against the page as it stands, at WCAG AA. */
  faults(): Promise<string[]>;
}

export function openPanel(): Promise<Panel> {
  return openPanelOn(startServer);
}

export async function openPanelOn<S extends Site>(start: () => Promise<S>): Promise<Panel<S>> {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await start());
  const browser = await launchChromium();
  owned.defer(() => browser.close());
  const kept = owned.move();
  return {
    server,
    visit: ({ width = 1280, height = 860 } = {}) => visit(browser, server, { width, height }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function visit(browser: Browser, server: Site, viewport: { width: number; height: number }): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({
    viewport,
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // Answers that refuse are part of some stories, and of the page's own doing.
    if (message.type() === 'error' && !/Failed to load resource|ERR_NETWORK_CHANGED/.test(text)) complaints.push(text);
  });
  return {
    page,
    go: async (path) => {
      await page.goto(`${server.url}/panel${path}`);
    },
    holdKey: async (face, key) => {
      const held = JSON.stringify(JSON.stringify({ face, key }));
      await page.addInitScript(`sessionStorage.getItem('${place}') ?? sessionStorage.setItem('${place}', ${held})`);
    },
    faults: async () => {
      await page.evaluate(axeScript);
      const { violations } = await page.evaluate<{ violations: readonly AxeViolation[] }>(
        `axe.run(document, { runOnly: ${JSON.stringify(levels)}, resultTypes: ['violations'] })`,
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      assert.deepEqual(complaints, [], 'the page itself complained');
    },
  };
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
