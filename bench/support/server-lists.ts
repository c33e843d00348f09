// Interactions with the lists of an account and of staff that have 10,000 servers, timed as browsers report them (Event
// Timing): from the input to the paint that shows its effect.
import type { Page } from 'playwright-core';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { addManyServices } from '#test/support/many-services.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { withResources } from '#test/support/resources.ts';

const serverCount = 10_000;

export interface Interaction {
  readonly label: string;
  readonly ms: number;
}

export interface ServerLists extends AsyncDisposable {
  /** Returns each interaction with the shortest time of so many rounds. */
  interact(rounds: number): Promise<readonly Interaction[]>;
}

export async function openServerLists(): Promise<ServerLists> {
  await using owned = new AsyncDisposableStack();
  const panel = owned.use(await openPanelOn(openTestApp));
  await fillAccount(panel.server);
  return withResources(owned, {
    interact: async (rounds: number) => [
      ...(await interactAs(panel, 'customer', rounds)),
      ...(await interactAs(panel, 'staff', rounds)),
    ],
  });
}

/** Gives the lab's customer all of the services. */
async function fillAccount({ parts, lab }: TestApp): Promise<void> {
  const { store } = parts;
  const known = await store.queries.selectFrom('services').select('id').execute();
  const ids = known.map(({ id }) => id);
  await addManyServices(store, 0, serverCount);
  const account = { account_id: Number(lab.customer.account) as never };
  await store.queries.updateTable('services').set(account).where('id', 'not in', ids).execute();
  await store.queries.updateTable('machines').set(account).where('service_id', 'not in', ids).execute();
  await store.queries.updateTable('keys').set({ rate: 1_000_000, burst: 1_000_000 }).execute();
  parts.authentication.forget();
}

interface Step {
  readonly label: string;
  readonly act: (page: Page) => Promise<void>;
}

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search servers' });
const customerSteps: readonly Step[] = [
  { label: 'servers: select all', act: (page) => page.getByRole('checkbox', { name: /^Select all/ }).click() },
  { label: 'servers: clear the selection', act: (page) => page.getByRole('checkbox', { name: /^Select all/ }).click() },
  { label: 'servers: type into the search', act: (page) => search(page).press('7') },
  { label: 'servers: empty the search', act: (page) => search(page).press('Backspace') },
  { label: 'servers: choose a type', act: (page) => page.getByText('Dedicated', { exact: true }).first().click() },
  { label: 'servers: choose all types', act: (page) => page.getByText('All', { exact: true }).first().click() },
  {
    label: 'servers: open the power menu',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Power/ })
        .first()
        .click();
      await page.keyboard.press('Escape');
    },
  },
];
const staffSteps: readonly Step[] = [
  {
    label: 'services of staff: type into the search',
    act: (page) => page.getByRole('searchbox').first().press('7'),
  },
  {
    label: 'services of staff: empty the search',
    act: (page) => page.getByRole('searchbox').first().press('Backspace'),
  },
];

async function interactAs(panel: Panel<TestApp>, portal: 'customer' | 'staff', rounds: number): Promise<Interaction[]> {
  const { customer, operator } = panel.server.lab;
  await using visit = await panel.visit();
  await visit.holdKey(portal, portal === 'staff' ? operator.key : customer.key);
  await visit.go(portal === 'staff' ? '/staff/services' : '/servers');
  await visit.settle();
  await visit.page.evaluate(`
    self.slowest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) self.slowest = Math.max(self.slowest, duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const { label, act } of portal === 'staff' ? staffSteps : customerSteps)
      best.set(label, Math.min(best.get(label) ?? Infinity, await timeOf(visit, act)));
  return [...best].map(([label, ms]) => ({ label, ms }));
}

/** Entries are rounded to 8 ms, and none is reported below 16 ms. */
async function timeOf({ page }: Visit, act: Step['act']): Promise<number> {
  await page.evaluate('self.slowest = 0');
  await act(page);
  // The browser reports an event after the frame that follows it.
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 200)))');
  return page.evaluate<number>('self.slowest');
}
