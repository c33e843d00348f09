// Interactions with the lists of an account and of staff that have 10,000 servers, each with its time from the input to
// the paint that shows its effect (as browsers report it, Event Timing) and with the CPU time of the main thread in it.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { addManyServices } from '#test/support/many-services.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { withResources } from '#test/support/resources.ts';
import { scrollCost, startCpuCount } from './scrolling.ts';

const serverCount = 10_000;

export interface Interaction {
  readonly label: string;
  /** Wall time, to which other load of the machine adds. */
  readonly ms: number;
  readonly cpuMs: number;
}

export interface ServerLists extends AsyncDisposable {
  /** Returns each interaction with the shortest times of several rounds. */
  interact(rounds: number): Promise<readonly Interaction[]>;
  /** Returns the milliseconds of CPU per frame while the customer's list scrolls. */
  scroll(pxPerFrame: number): Promise<number>;
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
    async scroll(pxPerFrame: number) {
      await using visit = await openList(panel, 'customer');
      const session: CDPSession = await startCpuCount(visit.page);
      return await scrollCost(visit.page, session, { region: 'Servers', pxPerFrame });
    },
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
const selectAll = (page: Page) => page.getByRole('checkbox', { name: /^Select all/ });
const escape = (page: Page) => page.keyboard.press('Escape');
const customerSteps: readonly Step[] = [
  { label: 'servers: select all', act: (page) => selectAll(page).click() },
  {
    label: 'servers: open the menu of actions',
    act: (page) => page.getByText('Power', { exact: true }).first().click(),
  },
  { label: 'servers: choose an action', act: (page) => page.getByRole('menuitem', { name: 'Reboot' }).click() },
  { label: 'servers: cancel the action', act: escape },
  { label: 'servers: clear the selection', act: (page) => selectAll(page).click() },
  { label: 'servers: type into the search', act: (page) => search(page).press('7') },
  { label: 'servers: empty the search', act: (page) => search(page).press('Backspace') },
  { label: 'servers: choose a type', act: (page) => page.getByText('Dedicated', { exact: true }).first().click() },
  { label: 'servers: choose all types', act: (page) => page.getByText('All', { exact: true }).first().click() },
  {
    label: 'servers: sort',
    act: (page) => page.getByRole('columnheader', { name: 'IP address' }).locator('button').click(),
  },
  {
    label: 'servers: open a power menu',
    act: (page) =>
      page
        .getByRole('button', { name: /^Power menu/ })
        .first()
        .click(),
  },
  { label: 'servers: close the power menu', act: escape },
  { label: 'servers: open the palette', act: (page) => page.keyboard.press('Control+k') },
  { label: 'servers: type into the palette', act: (page) => page.keyboard.press('7') },
  { label: 'servers: close the palette', act: escape },
  {
    label: 'servers: open a server',
    act: (page) =>
      page
        .getByRole('link', { name: /many\.example/ })
        .first()
        .click(),
  },
  {
    label: 'servers: return to the list',
    act: (page) => page.getByRole('link', { name: 'Servers', exact: true }).first().click(),
  },
];
const staffSearch = (page: Page) => page.getByRole('searchbox').first();
const staffSteps: readonly Step[] = [
  { label: 'services of staff: type into the search', act: (page) => staffSearch(page).press('7') },
  { label: 'services of staff: empty the search', act: (page) => staffSearch(page).press('Backspace') },
  {
    label: 'services of staff: open a service',
    act: (page) =>
      page
        .getByRole('link', { name: /many\.example/ })
        .first()
        .click(),
  },
  { label: 'services of staff: close the service', act: escape },
];

async function openList(panel: Panel<TestApp>, portal: 'customer' | 'staff'): Promise<Visit> {
  const { customer, operator } = panel.server.lab;
  const visit = await panel.visit();
  await visit.holdKey(portal, portal === 'staff' ? operator.key : customer.key);
  await visit.go(portal === 'staff' ? '/staff/services' : '/servers');
  await visit.settle();
  return visit;
}

async function interactAs(panel: Panel<TestApp>, portal: 'customer' | 'staff', rounds: number): Promise<Interaction[]> {
  await using visit = await openList(panel, portal);
  const best = new Map<string, Interaction>();
  for (let round = 0; round < rounds; round++)
    for (const { label, act } of portal === 'staff' ? staffSteps : customerSteps) {
      const { ms, cpuMs } = await timeOf(visit, act);
      const known = best.get(label) ?? { ms: Infinity, cpuMs: Infinity };
      best.set(label, { label, ms: Math.min(known.ms, ms), cpuMs: Math.min(known.cpuMs, cpuMs) });
    }
  return [...best.values()];
}

/** The members of an event of a trace that are used here. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time. */
  readonly tdur?: number;
  readonly id2?: { readonly local?: string };
  readonly args: { readonly data?: { readonly interactionId?: number } };
}

async function timeOf({ page, settle }: Visit, act: Step['act']): Promise<Omit<Interaction, 'label'>> {
  const browser: Browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await act(page);
  await settle();
  // The trace has an event only after the frame that follows it.
  await page.evaluate(
    'new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 200), { timeout: 1000 }))',
  );
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return slowestInteraction(traceEvents);
}

/** Events that are not interactions, such as a pointer that moves, have the ID 0. */
function slowestInteraction(events: readonly TraceEvent[]): Omit<Interaction, 'label'> {
  const timings = events.filter(({ name }) => name === 'EventTiming');
  const ends = new Map(timings.filter(({ ph }) => ph === 'e').map((end) => [end.id2?.local, end.ts]));
  let slowest = { ms: 0, cpuMs: 0 };
  for (const { ph, ts: start, id2, args, pid, tid } of timings) {
    const end = ends.get(id2?.local);
    if (ph !== 'b' || end === undefined || (args.data?.interactionId ?? 0) === 0) continue;
    const tasks = events.filter(
      (event) =>
        event.name === 'ThreadControllerImpl::RunTask' &&
        event.pid === pid &&
        event.tid === tid &&
        event.ts < end &&
        event.ts + (event.dur ?? 0) > start,
    );
    const cpuMs = tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
    if (end - start > slowest.ms * 1000) slowest = { ms: (end - start) / 1000, cpuMs };
  }
  if (slowest.ms === 0) throw new Error('The trace has no interaction');
  return slowest;
}
