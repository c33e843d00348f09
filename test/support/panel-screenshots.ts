// Screenshots of every page of the panel, equal from run to run: the lab on a stopped clock, with the same
// data, and without what differs anyway.
import type { CDPSession } from 'playwright-core';
import { openTestApp, type TestApp } from './app.ts';
import { fixDate } from './fixed-date.ts';
import { customerPaths, entryPaths, staffPaths } from './panel-paths.ts';
import { openPanelOn, type Panel, type Visit } from './panel.ts';
import { requestResult } from './request.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

export interface Screenshot {
  /** Page and variant, such as `servers-1001-network.dark`. */
  readonly name: string;
  /** WebP. */
  readonly image: Buffer;
}

const variants = [
  { variant: 'light', width: 1280, scheme: 'light' },
  { variant: 'dark', width: 1280, scheme: 'dark' },
  { variant: 'phone', width: 390, scheme: 'light' },
] as const;
/** Higher than most pages, so that one screenshot has all of them. */
const height = 1600;
/** Small, and still sharp enough to review. */
const quality = 75;
const today = new Date('2026-11-18T10:00:00Z');
const zone = 'example.org';

export interface Photographer extends AsyncDisposable {
  /** Of the browser, which decides about the rendering of fonts. */
  readonly chromium: string;
  readonly panel: Panel<TestApp>;
  takeAll(): AsyncGenerator<Screenshot>;
}

export async function openPhotographer(): Promise<Photographer> {
  await using owned = new AsyncDisposableStack();
  owned.use(fixDate(today));
  const panel = owned.use(await openPanelOn(() => openTestApp()));
  await createData(panel.server);
  await using probe = await panel.visit();
  const chromium = probe.page.context().browser()!.version();
  return withResources(owned, { chromium, panel, takeAll: () => takeAll(panel) });
}

/** Data that the lab lacks, for pages that would be empty. */
async function createData(app: TestApp): Promise<void> {
  const { key } = app.lab.customer;
  const send = <T>(path: string, params: Record<string, unknown>): Promise<T> =>
    requestResult(app, 'POST', path, { key, params });
  const domain = await send<string>('/v2/dns/domain', { domain: zone });
  await send('/v2/dns/record', { domain, record: `www.${zone}`, type: 'A', content: '203.0.113.10' });
  await send('/v2/dns/record', { domain, record: zone, type: 'MX', content: `10 mail.${zone}` });
  // Pages show the state that was read last, which would depend on the pages visited before.
  for (const { service } of await requestResult<{ service: string }[]>(app, 'GET', '/v2/device/list', { key }))
    await requestResult(app, 'GET', `/v2/device/power/${service}`, { key });
  const withdrawn = { id: 999, account_id: Number(app.lab.customer.account) as never, name: 'example.com' };
  await app.parts.store.queries
    .insertInto('withdrawn_zones')
    .values({ ...withdrawn, reason: 'proof', at: today.getTime() })
    .execute();
  // The order of two that began at the same time is random.
  await app.parts.store.queries.deleteFrom('workflows').where('service_id', '=', 3001).execute();
  await send('/v2/account/key', { name: 'Backup job', scopes: ['device:read', 'dns:read'] });
}

async function* takeAll(panel: Panel<TestApp>): AsyncGenerator<Screenshot> {
  const { customer, operator, dedicated } = panel.server.lab;
  const portals = [
    { paths: entryPaths },
    { paths: customerPaths(zone), portal: 'customer', key: customer.key },
    { paths: staffPaths(dedicated.server), portal: 'staff', key: operator.key },
  ] as const;
  for (const { paths, ...session } of portals) {
    await using visit = await panel.visit({ height });
    const { page } = visit;
    await page.clock.setFixedTime(today);
    if ('portal' in session) await visit.holdKey(session.portal, session.key);
    const devtools = await page.context().newCDPSession(page);
    await visit.go(paths[0]!);
    await visit.settle();
    for (const path of paths) {
      await visit.follow(path);
      // A page is loaded once for all variants, which takes a third of the time.
      for (const { variant, width, scheme } of variants) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: scheme });
        yield { name: `${nameOf(path)}.${variant}`, image: await take(visit, devtools) };
      }
    }
  }
}

/** `/servers/1001#network` becomes `servers-1001-network`. */
function nameOf(path: string): string {
  return path.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
}

async function take({ page, settle }: Visit, devtools: CDPSession): Promise<Buffer> {
  await settle();
  for (;;) {
    // Such as that of the console, which connects after the page has loaded.
    await until(() => page.evaluate<boolean>(hasNoSpinner));
    await page.evaluate(prepare);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
    // A page that checks something regularly may have begun to, and may have ended again.
    if (await page.evaluate<boolean>('!sawSpinner')) return Buffer.from(data, 'base64');
  }
}

const hasNoSpinner = `document.querySelector('.mantine-Loader-root, [data-loading="true"]') === null`;

/**
 * Leaves out what differs between runs: the caret, times, graphs, random names and ports. Fixed texts take their place,
 * because a text's width moves what is next to it.
 */
const prepare = `(async () => {
  const style = document.getElementById('screenshot') ?? document.head.appendChild(document.createElement('style'));
  style.id = 'screenshot';
  style.sheet.insertRule('*, ::before, ::after { caret-color: transparent !important; transition: none !important; animation: none !important; }');
  style.sheet.insertRule('canvas, .xterm, svg.sparkline, img[alt^="QR"] { visibility: hidden !important; }');
  scrollTo(0, 0);
  document.activeElement?.blur();
  for (const time of document.querySelectorAll('time')) time.textContent = '18 Nov 2026, 10:00:00';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const fixed = text.data
      .replace(/(127\\.0\\.0\\.1|localhost):\\d+/g, '$1:8080')
      .replace(/hy_\\w+/g, 'hy_key')
      .replace(/Request [0-9a-f]{16}-\\w+/g, 'Request id')
      .replace(/(?<![\\w-])[\\w-]{43}(?![\\w-])/g, 'fingerprint')
      .replace(/SHA256:[\\w+/=]+/g, 'SHA256:fingerprint')
      .replace(/\\b[0-9a-f]{8}-[0-9a-f-]{27}\\b/g, '00000000-0000-0000-0000-000000000000')
      .replace(/\\d+(\\.\\d+)? ?(ms|s|min|h|days?|hours?|minutes?|seconds?)\\b/g, '1 $2')
      .replace(/\\d+(\\.\\d+)? ([kMGT]?bit\\/s|[kMG]?B\\/s|°C|RPM|V|W|[KMGT]i?B)\\b/g, '1 $2');
    if (fixed !== text.data) text.data = fixed;
  }
  self.sawSpinner = false;
  self.spinners ??= new MutationObserver(() => void (self.sawSpinner ||= !(${hasNoSpinner})));
  self.spinners.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-loading'] });
  await document.fonts.ready;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;
