// Rarely used actions of staff, and of a customer of a provider with PowerDNS: work that waits for a device, a colleague
// who leaves, a signed zone. Each is checked from outside as well.
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { createKeyText } from '#lib/key-text.ts';
import { deviceLockAcquire } from '#store/devices/device-locks.ts';
import { openStore } from '#store/open.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { startForwardingResolver } from '#test/support/forwarding-resolver.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { startPowerDns, type PowerDns } from '#test/support/powerdns.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startSite, type SiteServer } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

describe('rarely used staff actions', needsChromium('pdns_server', 'dig'), () => {
  const owned = new AsyncDisposableStack();
  let names: PowerDns;
  let controller: Socket;
  let panel: Panel<SiteServer>;
  let customerKey: string;
  const staff = createKeyText();

  before(async () => {
    names = owned.use(await startPowerDns());
    controller = createSocket('udp4');
    await new Promise<void>((resolve) => controller.bind(0, '127.0.0.1', resolve));
    owned.defer(() => new Promise<void>((resolve) => controller.close(resolve)));
    const silent = { address: '127.0.0.1', port: controller.address().port, username: 'ops', password: 'silent' };
    const { site, env, key } = singleServerSite(silent);
    customerKey = key;
    const fullSite: Site = {
      ...site,
      nameserver: {
        names: ['ns1.example.net'],
        powerdns: { url: names.apiUrl, apiKey: names.apiKey, writers: 'one' },
        // Finds no DS records, so that customers may stop signing.
        resolvers: [await startForwardingResolver(names)],
      },
      operators: [{ name: 'olga', role: 'owner', id: staff.printableId, hash: staff.secretHash.toString('hex') }],
    };
    panel = owned.use(await openPanelOn(() => startSite(fullSite, env)));
  });
  after(() => owned.disposeAsync());

  async function visiting(portal: 'customer' | 'staff', path: string): Promise<Visit> {
    const visit = await panel.visit();
    await visit.holdKey(portal, portal === 'staff' ? staff.text : customerKey);
    await visit.go(path);
    return visit;
  }
  /** Returns the newest workflow from the API. */
  async function work(): Promise<{ direction: string; ended: string }> {
    const credentials = { key: staff.text };
    const result = await requestResult<{ id: string }[]>(panel.server, 'GET', '/operator/workflow', credentials);
    const path = `/operator/workflow/${result[0]!.id}`;
    return requestResult<Awaited<ReturnType<typeof work>>>(panel.server, 'GET', path, credentials);
  }
  /** Locks the only server, as other work does that takes long. */
  async function lockServer(): Promise<void> {
    const store = await openStore({ dataFolder: panel.server.data, database: undefined });
    const lock = {
      device: 'dc01r01ds01',
      holder: 'other work',
      purpose: 'other work',
      held_until: Date.now() + 3_600_000,
    };
    assert.ok(await deviceLockAcquire(store.queries, lock, Date.now()));
    await store.close();
  }
  const exact = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });

  it('sign a zone at the name server, and stop signing after its name is typed', async () => {
    const created = await requestResult<string>(panel.server, 'POST', '/v2/dns/domain', {
      key: customerKey,
      params: { domain: 'signed.net' },
    });
    await using visit = await visiting('customer', `/dns/${created}#dnssec`);
    await exact(visit, 'Sign zone').click();
    const ds = visit.page.getByText(/^signed\.net\. IN DS \d+ \d+ \d+ /).first();
    await ds.waitFor();
    assert.ok((await dig(names, 'signed.net', 'DNSKEY')).length > 0, 'the name server has keys for it');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await exact(visit, 'Stop signing').click();
    const dialog = visit.page.getByRole('dialog', { name: 'Stop signing signed.net?' });
    await dialog.getByRole('textbox').fill('signed.net');
    await dialog.getByRole('button', { name: 'Stop signing' }).click();
    await exact(visit, 'Sign zone').waitFor();
    assert.deepEqual(await dig(names, 'signed.net', 'DNSKEY'), []);
  });

  it('show a workflow that waits for a device, retry it, and roll it back', async () => {
    await lockServer();
    const suspension = await request<{ result: unknown }>(panel.server, 'POST', '/operator/service/suspend', {
      key: staff.text,
      params: { id: 1001, reason: 'Story', how: 'power' },
    });
    assert.equal(suspension.status, 200, JSON.stringify(suspension.body));
    await using visit = await visiting('staff', '/staff/work');
    const { page } = visit;
    await page.getByRole('table', { name: 'Workflows' }).getByRole('row').nth(1).getByRole('link').first().click();
    await exact(visit, 'Retry now').click();
    await page.getByText('Retrying the step').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await exact(visit, 'Cancel and roll back').click();
    const dialog = page.getByRole('dialog', { name: /^Cancel “.*” of service 1001\?/ });
    await dialog.getByRole('button', { name: 'Cancel and roll back' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await until(
      async () => {
        const { direction, ended } = await work();
        return direction === 'back' || ended !== '';
      },
      { saw: work },
    );
    await until(
      async () => {
        const giveUp = exact(visit, 'Cancel and roll back');
        return /being rolled back|has ended/.test((await giveUp.getAttribute('aria-description')) ?? '');
      },
      { saw: () => page.locator('body').innerText() },
    );
  });

  it('invite a colleague and remove their access, which ends their session at once', async () => {
    await using visit = await visiting('staff', '/staff/security');
    const { page } = visit;
    await exact(visit, 'Invite').click();
    const form = page.getByRole('dialog', { name: 'Invite staff member' });
    await form.getByRole('textbox', { name: 'Name' }).fill('otto');
    await form.getByRole('button', { name: 'Invite' }).click();
    const passwordGroup = page.getByRole('group', { name: 'Password' });
    await passwordGroup.waitFor();
    const password = (await passwordGroup.innerText()).trim();
    await exact(visit, 'Done, I saved it').click();
    const session = await requestResult<{ key: string }>(panel.server, 'POST', '/operator/session', {
      params: { name: 'otto', password },
    });
    const statusOf = async () => (await request(panel.server, 'GET', '/operator/session', { key: session.key })).status;
    assert.equal(await statusOf(), 200);
    await exact(visit, 'Remove access of otto').click();
    await page
      .getByRole('dialog', { name: 'Remove the access of otto?' })
      .getByRole('button', { name: 'Remove access' })
      .click();
    const row = page.getByRole('row').filter({ hasText: 'otto' });
    await row.getByText('Removed').waitFor();
    await until(async () => (await statusOf()) === 401);
    assert.equal(
      await exact(visit, 'Remove access of otto').getAttribute('aria-description'),
      'Access has already been removed.',
    );
    await exact(visit, 'Edit otto').click();
    const change = page.getByRole('dialog', { name: 'Edit otto' });
    await change.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Restore access' }).click();
    await change.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Active').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });
});
