// The server list and the traffic graph, with the keyboard.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('the lists and graphs of the panel', needsChromium(), () => {
  const owned = suiteResources();
  let visit: Visit;
  before(async () => {
    const panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
    await visit.holdKey('customer', panel.server.lab.customer.key);
  });

  it('sorts the servers in both directions', async () => {
    const { page } = visit;
    await visit.go('/servers');
    const header = page.getByRole('columnheader', { name: 'Server' });
    const names = () => page.getByRole('table', { name: 'Servers' }).getByRole('link').allInnerTexts();
    await header.getByRole('button').press('Enter');
    await page.locator('[aria-sort=ascending]').waitFor();
    await until(async () => (await names())[0] === 'cloud1.example.net');
    await header.getByRole('button').press('Enter');
    await page.locator('[aria-sort=descending]').waitFor();
    await until(async () => (await names())[0] === 'web1.example.net');
  });

  it('returns the focus from a power menu to its button', async () => {
    const { page } = visit;
    const name = 'Power menu for web1.example.net';
    const button = page.getByRole('button', { name });
    for (let use = 0; use < 2; use++) {
      await button.press('Enter');
      await page.getByRole('menuitem', { name: 'Reboot' }).waitFor();
      await page.keyboard.press('Escape');
      await until(async () => name === (await page.evaluate('document.activeElement.ariaLabel')));
    }
  });

  it('shows the values of the interval that is chosen in a graph', async () => {
    const { page } = visit;
    await visit.go('/servers/1001#network');
    const interval = page.getByRole('slider', { name: 'Interval of the graph' });
    await interval.focus();
    const last = await interval.getAttribute('aria-valuetext');
    assert.match(last!, /: In [\d.]+ [kMG]?bit\/s, Out [\d.]+ [kMG]?bit\/s$/);
    await interval.press('ArrowLeft');
    await until(async () => (await interval.getAttribute('aria-valuetext')) !== last);
    const text = await interval.getAttribute('aria-valuetext');
    await page.getByText(text!.slice(0, text!.indexOf(': ')), { exact: true }).waitFor();
  });
});
