// Checks every page of the panel: no WCAG AA violations, nothing wider than a phone, no errors in the console. With
// several widths, each tab of a page as well, whether or not it has a path of its own.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import SQLite from 'better-sqlite3';
import { needsChromium } from './chromium.ts';
import { customerPaths, entryPaths, staffPaths } from './panel-paths.ts';
import { openPanel, type Panel, type Visit } from './panel.ts';
import { requestResult } from './request.ts';
import { suiteResources } from './suite-resources.ts';

const phoneWidth = 390;
const desktopWidth = 1280;
/** A phone, a tablet and a desktop. */
export const allWidths = [phoneWidth, 768, desktopWidth];

/**
 * Looks for violations at each of the widths. A phone alone is enough, except for the first page of each kind, where the frame is
 * checked as well.
 */
export function describePages(scheme: 'light' | 'dark', widths: readonly number[] = [phoneWidth]): void {
  describe(`every page of the panel, ${scheme}`, needsChromium(), () => {
    const owned = suiteResources();
    let panel: Panel;
    let visit: Visit;
    before(async () => {
      panel = owned.use(await openPanel());
      visit = owned.use(await panel.visit());
      editDatabase((database) => {
        const insert = "insert into withdrawn_zones (id, account_id, name, reason, at) values (999, 1, ?, 'proof', ?)";
        database.prepare(insert).run('withdrawn-story.net', Date.now());
      });
    });

    function editDatabase(edit: (database: SQLite.Database) => void): void {
      const database = new SQLite(join(panel.server.data, 'hostyard.sqlite'));
      edit(database);
      database.close();
    }

    /** Returns the problems of the page at this address, at these widths, of which a phone's is the first. */
    async function problemsOf(path: string, atWidths: readonly number[], part?: 'content'): Promise<string[]> {
      const problems: string[] = [];
      const { page } = visit;
      await visit.follow(path);
      await visit.settle();
      for (const width of atWidths) {
        await page.setViewportSize({ width, height: 860 });
        const found = await visit.accessibilityProblems(part);
        problems.push(...found.map((problem) => `${path}, ${width} wide: ${problem}`));
        if (width === phoneWidth) problems.push(...(await overflowOf(path)));
      }
      return problems;
    }

    async function overflowOf(path: string): Promise<string[]> {
      const { page } = visit;
      const width = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
      // The layout settles after a moment.
      for (let look = 0; look < 20 && (await width()) > phoneWidth; look++) await page.waitForTimeout(100);
      return (await width()) > phoneWidth ? [`${path} is ${await width()} wide on a phone`] : [];
    }

    async function assertAccessible(paths: readonly string[]): Promise<void> {
      const problems: string[] = [];
      await visit.page.emulateMedia({ colorScheme: scheme });
      await visit.go(paths[0]!);
      await visit.settle();
      const visited = new Set(paths);
      // Grows by the tabs of each page, while it is walked.
      for (const path of visited) {
        if (path === paths[0]) problems.push(...(await problemsOf(path, [...new Set([...widths, desktopWidth])])));
        else problems.push(...(await problemsOf(path, widths, widths.length > 1 ? undefined : 'content')));
        if (widths.length > 1) for (const tab of await visit.tabs()) visited.add(`${path.split('#', 1)[0]}#${tab}`);
      }
      assert.deepEqual(problems, []);
    }

    it('is accessible before sign-in', async () => {
      await assertAccessible(entryPaths);
    });

    it('is accessible for a customer', async () => {
      const { key } = panel.server.lab.customer;
      const result = await requestResult<string>(panel.server, 'POST', '/v2/dns/domain', {
        key,
        params: { domain: 'pages-story.net' },
      });
      await visit.holdKey('customer', key);
      await assertAccessible(customerPaths(result));
      await visit.follow('/dns#withdrawn');
      await visit.page.getByRole('table', { name: 'Withdrawn zones' }).getByText('withdrawn-story.net').waitFor();
    });

    it('is accessible for staff', async () => {
      await visit[Symbol.asyncDispose]();
      visit = owned.use(await panel.visit());
      await visit.holdKey('staff', panel.server.lab.operator.key);
      await assertAccessible(staffPaths(panel.server.lab.dedicated.server));
    });

    it('is accessible while billing is paused, until staff confirm the date, and the site file is rejected', async () => {
      const problem = JSON.stringify({ at: Date.now(), message: 'site.yaml:3:1: servces is not a known field here' });
      const threeDaysAgo = String(Date.now() - 3 * 86_400_000);
      editDatabase((database) => {
        database.prepare("insert into meta (name, value) values ('site file problem', ?)").run(problem);
        database.prepare("update meta set value = ? where name = 'trusted time'").run(threeDaysAgo);
      });
      await assertAccessible(['/staff']);
      const { page } = visit;
      await page.getByText('servces is not a known field here').waitFor();
      await page.getByRole('button', { name: 'Confirm date' }).click();
      const today = new Date().toISOString().slice(0, 10);
      await page.getByLabel(`Type ${today} to confirm`).fill(today);
      await page.getByRole('button', { name: 'Resume billing' }).click();
      await page.getByText('Billing paused').waitFor({ state: 'detached' });
    });
  });
}
