// Stops signing a zone in the panel although it cannot be known whether its parent has DS records: the panel says why that
// is refused and what it would break, and asks for the name again.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { dnsCalls } from '#test/support/dns-fixtures.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { freePort } from '#test/support/ports.ts';
import { startSite, type SiteServer } from '#test/support/server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('signing in the panel', needsChromium('dig'), () => {
  const owned = suiteResources();
  const { site, key } = machineSite([], []);
  const dns = { address: '127.0.0.1', port: 0 };
  let panel: Panel<SiteServer>;

  before(async () => {
    dns.port = await freePort();
    const nameserver = {
      names: ['ns1.example.net'],
      listen: `${dns.address}:${dns.port}`,
      // Nothing answers there.
      resolvers: [`127.0.0.1:${await freePort()}`],
    };
    panel = owned.use(await openPanelOn(() => startSite({ ...site, nameserver })));
  });

  it('is stopped against the advice only after a second confirmation', async () => {
    const zone = 'forced.example.com';
    const id = await dnsCalls(panel.server, key).makeZone(zone);
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
    const isSigned = async () => (await dig(dns, zone, 'DNSKEY')).length > 0;

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
});
