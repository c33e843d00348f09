// The panel in Debian's Chromium, on a server started as a newcomer starts it. Script errors and policy violations fail
// the test in which they occur.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { csrfTokenOf, sessionCookies } from '#http/session-cookie.ts';
import { startServer, type Server } from './server.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

/** A page waits for a response, which waits for a CPU core. */
const patienceMs = 60_000;
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const isSettled = `(() => {
  // The panel's router; undefined until the panel has loaded.
  const { status, resolvedLocation } = self.__TSR_ROUTER__?.state ?? {};
  return status === 'idle' && location.href === location.origin + resolvedLocation?.publicHref &&
    document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null;
})()`;
/** The names are the end of the ids. Only tabs that have an address are meant, not those within a card. */
const tabNames = `[...document.querySelectorAll('main [role="tab"]:not(.mantine-Card-root *)')].map(({ id }) => id.replace(/.*-tab-/, ''))`;
const withoutFrame = `{ exclude: ['.mantine-AppShell-header', '.mantine-AppShell-navbar'] }`;
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Any Hostyard server to open; the lab if omitted. */
type Site = { readonly url: string } & AsyncDisposable;

export interface Panel<S extends Site = Server> extends AsyncDisposable {
  readonly server: S;
  /** Opens a new browser context, not signed in. */
  visit(options?: Partial<Screen>): Promise<Visit>;
}
interface Screen {
  readonly width: number;
  readonly height: number;
  /** A phone, with fingers in place of a mouse. */
  readonly isTouch?: boolean;
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Opens a path below /panel. */
  go(path: string): Promise<void>;
  /** Opens a path as a link does, in the loaded panel: at a fraction of the cost of loading it again. */
  follow(path: string): Promise<void>;
  /** Returns the names in the address of all tabs of the page. */
  tabs(): Promise<string[]>;
  /** Waits until the page has loaded all that it displays. */
  settle(): Promise<void>;
  /** Puts a key where signing in puts that of a session: into a cookie, and its token into the browser's storage. */
  holdKey(portal: 'customer' | 'staff', key: string): Promise<void>;
  /** Returns axe's WCAG AA violations on the current page, or without the frame that all pages share. */
  accessibilityProblems(part?: 'page' | 'content'): Promise<string[]>;
}

export function openPanel(): Promise<Panel> {
  return openPanelOn(startServer);
}

export async function openPanelOn<S extends Site>(start: () => Promise<S>): Promise<Panel<S>> {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await start());
  const browser = await launchChromium();
  owned.defer(() => browser.close());
  return withResources(owned, {
    server,
    visit: ({ width = 1280, height = 860, ...rest } = {}) => visit(browser, server, { width, height, ...rest }),
  });
}

async function visit(browser: Browser, server: Site, { isTouch = false, ...viewport }: Screen): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({
    viewport,
    hasTouch: isTouch,
    isMobile: isTouch,
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // Error responses are part of some tests, and noVNC gives a console that is left three seconds, also on a busy machine.
    const isExpected = text.includes('Failed to load resource') || text === 'Disconnection timed out.';
    if (message.type() === 'error' && !isExpected) complaints.push(text);
  });
  return {
    page,
    go: async (path) => {
      const response = await page.goto(`${server.url}/panel${path}`);
      // Without the panel, every wait for its content would time out.
      if (response?.status() === 404) assert.fail(await response.text());
    },
    follow: (path) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/panel${path}`)})`),
    tabs: () => page.evaluate<string[]>(tabNames),
    settle: () =>
      until(() => page.evaluate<boolean>(isSettled), {
        patienceMs,
        saw: async () => `${page.url()}: ${await page.locator('body').innerText()}`,
      }),
    holdKey: async (portal, key) => {
      const name = sessionCookies[portal];
      const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;
      await context.addCookies([{ name, value: key, domain: new URL(server.url).hostname, ...attributes }]);
      // Any page of the origin will do.
      await page.goto(`${server.url}/healthz`);
      await page.evaluate(`localStorage.setItem('hostyard.token.${portal}', '${csrfTokenOf(key)}')`);
    },
    accessibilityProblems: async (part = 'page') => {
      if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axeScript);
      const { violations } = await page.evaluate<{ violations: readonly AxeViolation[] }>(
        `axe.run(${part === 'page' ? 'document' : withoutFrame}, { runOnly: ${JSON.stringify(levels)}, resultTypes: ['violations'], preload: false })`,
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      assert.deepEqual(complaints, [], 'the page reported errors');
    },
  };
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
