// Keys of a signed zone in the panel. It cannot be known whether the parent has DS records: if someone stops signing, the
// panel says why that is refused and what it would break, and asks for the name again.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { hourMs } from '#lib/time.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { freePort } from '#test/support/ports.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('signing in the panel', needsChromium('dig'), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let dns: DnsCalls;
  let key: string;

  before(async () => {
    const nameserver = {
      names: ['ns1.example.net'],
      listen: '127.0.0.1:0',
      // Nothing answers there.
      resolvers: [`127.0.0.1:${await freePort()}`],
    };
    panel = owned.use(await openPanelOn(() => openTestApp({ worksOffJobs: true, site: { nameserver } })));
    key = panel.server.lab.customer.key;
    dns = dnsCalls(panel.server, key);
  });

  it('is stopped against the advice only after a second confirmation', async () => {
    const zone = 'forced.example.com';
    const id = await dns.makeZone(zone);
    await using visit = await panel.visit();
    const { page } = visit;
    await visit.holdKey('customer', key);
    await visit.go(`/dns/${id}#dnssec`);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Sign zone').click();
    await page
      .getByText(/^forced\.example\.com\. IN DS /)
      .first()
      .waitFor();
    const isSigned = async () => (await dig(panel.server.dns, zone, 'DNSKEY')).length > 0;

    await button('Stop signing').click();
    const first = page.getByRole('dialog', { name: `Stop signing ${zone}?` });
    await first.getByRole('textbox').fill(zone);
    await first.getByRole('button', { name: 'Stop signing' }).click();
    const second = page.getByRole('dialog', { name: `Stop signing ${zone} anyway?` });
    await second.getByText('The DS records in the parent zone could not be looked up. Try again later.').waitFor();
    await first.waitFor({ state: 'hidden' });
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const force = second.getByRole('button', { name: 'Stop signing anyway' });
    assert.equal(await force.getAttribute('aria-description'), `Type ${zone} to confirm.`);
    assert.equal(await isSigned(), true);
    await second.getByRole('button', { name: 'Cancel' }).click();
    await second.waitFor({ state: 'hidden' });

    await button('Stop signing').click();
    await first.getByRole('textbox').fill(zone);
    await first.getByRole('button', { name: 'Stop signing' }).click();
    await second.getByRole('textbox').fill(zone);
    await force.click();
    await button('Sign zone').waitFor();
    assert.equal(await isSigned(), false);
  });

  it('shows a cancelled key rollover as one until no resolver needs the new key', async () => {
    const zone = 'rolled.example.com';
    const domain = await dns.makeZone(zone);
    const dnssec = (method: string, more: object = {}) =>
      dns.call<{ ds: string[]; keys: { state: string }[] }>(method, '/v2/dns/dnssec', { domain, ...more });
    const reaches = (expected: string) =>
      until(async () => (await dnssec('GET')).keys.map(({ state }) => state).join() === expected);
    const { ds } = await dnssec('PUT');
    await dnssec('POST', { action: 'rollover' });
    await reaches('active,published');
    panel.server.pass(6 * hourMs);
    await reaches('retired,active');

    await using visit = await panel.visit();
    const { page } = visit;
    await visit.holdKey('customer', key);
    await visit.go(`/dns/${domain}#dnssec`);
    await page.getByText('The zone is signed with a new key.').waitFor();
    await page.getByRole('button', { name: 'Cancel rollover' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel rollover' }).click();
    await page.getByText('Returning to the old key').waitFor();
    await page.getByText(`${zone}. IN DS ${ds[0]}`).waitFor();
    await visit.settle();
    assert.equal(await page.getByText('The new key is being published').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Cancel rollover' }).count(), 0);
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });
});
