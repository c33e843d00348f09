// What the panel shows if a response is an error, is late, or comes when the page has changed.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('the panel, if a response fails or is late,', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  let page: Page;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp()));
    visit = owned.use(await panel.visit());
    ({ page } = visit);
    await visit.holdKey('customer', panel.server.lab.customer.key);
    await visit.go('/profile');
  });
  beforeEach(() => page.unrouteAll());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const refuse = (route: Route, fields = {}): Promise<void> =>
    route.fulfill({
      status: 409,
      json: { success: false, results: 0, result: { code: 'state_conflict', message: 'Not now.', fields } },
    });
  /** Holds requests until the returned function is called. */
  async function hold(path: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      await promise;
      await route.fallback();
    });
    return resolve;
  }

  it('shows an error of a field that has no place for one, until saving succeeds', async () => {
    await visit.follow('/profile');
    const change = (route: Route): Promise<void> =>
      route.request().method() === 'GET' ? route.fallback() : refuse(route, { dateformat: 'is not known' });
    await page.route('**/v2/account/preferences*', change);
    await button('Save').click();
    const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'Not now.' });
    await alert.waitFor();
    await page.unrouteAll();
    await button('Save').click();
    await page.getByText('Preferences saved').waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('does not say that nothing needs attention if it could not find out', async () => {
    await page.route(/\/v2\/account\/invoice(?:\?|$)/, (route) => refuse(route));
    await visit.follow('/');
    await page.getByRole('alert').getByText('Not now.').first().waitFor();
    assert.equal(await page.getByText('Nothing needs your attention.').count(), 0);
    await page.unrouteAll();
    await button('Try again').first().click();
    await page.getByRole('region', { name: 'Needs attention' }).getByText('LAB-0002').waitFor();
  });

  it('imports no other zone file than the one whose changes it showed', async () => {
    const { key } = panel.server.lab.customer;
    await requestResult(panel.server, 'POST', '/v2/dns/domain', { key, params: { domain: 'late.example.org' } });
    await visit.follow('/dns/late.example.org#import');
    const file = page.getByRole('textbox', { name: 'Zone file' });
    await file.fill('@ IN NS ns1.example.net.\nwww IN A 203.0.113.10\n');
    const release = await hold('**/v2/dns/zonefile*');
    await button('Preview changes').click();
    await file.fill('@ IN NS ns1.example.net.\nwww IN A 203.0.113.99\n');
    const previewed = page.waitForResponse('**/v2/dns/zonefile*');
    release();
    await previewed;
    await visit.settle();
    assert.equal(await button('Import').count(), 0);
    await button('Preview changes').click();
    await page.getByRole('table').getByText('203.0.113.99').waitFor();
  });

  it('keeps the results of an action on several servers visible until it has ended', async () => {
    await visit.follow('/servers');
    await page.getByLabel(/^Select all/).check();
    await button('Labels').click();
    const dialog = page.getByRole('dialog', { name: 'Change labels' });
    await dialog.getByLabel('Add labels').fill('web');
    await page.keyboard.press('Enter');
    const release = await hold('**/v2/device/label*');
    await dialog.getByRole('button', { name: 'Change labels' }).click();
    await dialog.getByLabel('Running').first().waitFor();
    await page.keyboard.press('Escape');
    release();
    await dialog.getByText('Done for all servers').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });
});
