// Every page of the panel in a browser, wide and as narrow as a phone: nothing that WCAG AA has against it, nothing wider than the
// screen, and no complaint of the page itself.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { customerPlaces, staffPlaces } from '#panel/shell/places.ts';
import { needs } from './needs.ts';
import { openPanel, type Panel, type Visit } from './panel.ts';
import { request } from './request.ts';
import { until } from './until.ts';

const phoneWidth = 390;

export function describePages(scheme: 'light' | 'dark'): void {
  describe(`every page of the panel, ${scheme}`, needs('chromium'), () => {
    let panel: Panel;
    let visit: Visit;
    before(async () => {
      panel = await openPanel();
      visit = await panel.visit();
    });
    after(async () => {
      await visit?.[Symbol.asyncDispose]();
      await panel?.[Symbol.asyncDispose]();
    });

    const settled = async (path: string): Promise<void> => {
      await visit.page.emulateMedia({ colorScheme: scheme });
      await visit.go(path);
      const { page } = visit;
      const isSettled = async (): Promise<boolean> =>
        (await page.getByRole('heading', { level: 1 }).count()) > 0 &&
        (await page.locator('[aria-busy="true"]').count()) === 0;
      await until(isSettled, {
        patienceMs: 60_000,
        saw: async () => `${path}: ${await page.locator('body').innerText()}`,
      });
    };

    /** What is wrong with the page at this address. */
    async function wrongWith(path: string): Promise<string[]> {
      const wrong: string[] = [];
      const { page } = visit;
      await settled(path);
      wrong.push(...(await visit.faults()).map((fault) => `${path}: ${fault}`));
      await page.setViewportSize({ width: phoneWidth, height: 844 });
      const width = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
      // It is laid out anew in a moment.
      for (let look = 0; look < 20 && (await width()) > phoneWidth; look++) await page.waitForTimeout(100);
      if ((await width()) > phoneWidth) wrong.push(`${path} is ${await width()} wide on a phone`);
      await page.setViewportSize({ width: 1280, height: 860 });
      return wrong;
    }

    async function allRight(paths: readonly string[]): Promise<void> {
      const wrong: string[] = [];
      for (const path of paths) wrong.push(...(await wrongWith(path)));
      assert.deepEqual(wrong, []);
    }

    it('is fit to be read before anybody has signed in', async () => {
      await allRight(['/sign-in', '/sign-in?staff=true']);
    });

    it('is fit to be read by a customer', async () => {
      const { key } = panel.server.lab.customer;
      const made = await request<{ result: string }>(panel.server, 'POST', '/v2/dns/domain', {
        key,
        params: { domain: 'pages-story.net' },
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      await visit.holdKey('customer', key);
      const tabs = ['', '#console', '#install', '#network', '#hardware', '#events'];
      const paths = [
        ...customerPlaces.flat().map(({ to }) => to),
        ...tabs.map((tab) => `/servers/1001${tab}`),
        '/servers/2001',
        `/dns/${made.body.result}`,
        '/security',
        '/nowhere',
      ];
      await allRight(paths);
    });

    it('is fit to be read by staff', async () => {
      await visit[Symbol.asyncDispose]();
      visit = await panel.visit();
      await visit.holdKey('staff', panel.server.lab.operator.key);
      await allRight([...staffPlaces.flat().map(({ to }) => to), '/staff/customers/1', '/staff/security']);
    });
  });
}
