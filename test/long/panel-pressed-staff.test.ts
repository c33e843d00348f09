// What staff, and a customer of a provider with PowerDNS, seldom press in the panel, pressed: work that is stuck because a controller
// is silent, a colleague who leaves, a zone that is signed. Each is seen from outside as well.
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import type { Site } from '#contract/site.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { needs } from '#test/support/needs.ts';
import { oneServerSite } from '#test/support/one-server-site.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { startPowerDns, type PowerDns } from '#test/support/powerdns.ts';
import { request } from '#test/support/request.ts';
import { startSite, type SiteServer } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

describe('what staff seldom press', needs('chromium', 'pdns_server', 'dig'), () => {
  const owned = new AsyncDisposableStack();
  let names: PowerDns;
  let controller: Socket;
  let panel: Panel<SiteServer>;
  let customerKey: string;
  const staff = makeKeyText();

  before(async () => {
    names = owned.use(await startPowerDns());
    controller = createSocket('udp4');
    await new Promise<void>((resolve) => controller.bind(0, '127.0.0.1', resolve));
    owned.defer(() => new Promise<void>((resolve) => controller.close(resolve)));
    const silent = { address: '127.0.0.1', port: controller.address().port, username: 'ops', password: 'silent' };
    const { site, env, key } = oneServerSite(silent);
    customerKey = key;
    const whole: Site = {
      ...site,
      nameserver: {
        names: ['ns1.example.net'],
        powerdns: { url: names.apiUrl, apiKey: names.apiKey, writers: 'one' },
      },
      operators: [{ name: 'olga', role: 'owner', id: staff.printableId, hash: staff.secretHash.toString('hex') }],
    };
    panel = owned.use(await openPanelOn(() => startSite(whole, env)));
  });
  after(() => owned.disposeAsync());

  async function visiting(face: 'customer' | 'staff', path: string): Promise<Visit> {
    const visit = await panel.visit();
    await visit.holdKey(face, face === 'staff' ? staff.text : customerKey);
    await visit.go(path);
    return visit;
  }
  /** The newest piece of work, as the interface tells it. */
  async function work(): Promise<{ tries: string; direction: string; ended: string }> {
    const ask = { key: staff.text };
    const { body } = await request<{ result: { id: string }[] }>(panel.server, 'GET', '/operator/workflow', ask);
    const path = `/operator/workflow/${body.result[0]!.id}`;
    return (await request<{ result: Awaited<ReturnType<typeof work>> }>(panel.server, 'GET', path, ask)).body.result;
  }
  const exact = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });

  it('has a zone signed, which the name server then is, and stops it by its name', async () => {
    const made = await request<{ result: string }>(panel.server, 'POST', '/v2/dns/domain', {
      key: customerKey,
      params: { domain: 'signed.net' },
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    await using visit = await visiting('customer', `/dns/${made.body.result}#dnssec`);
    await exact(visit, 'Sign this zone').click();
    const ds = visit.page.getByText(/^signed\.net\. IN DS \d+ \d+ \d+ /).first();
    await ds.waitFor();
    assert.ok((await dig(names, 'signed.net', 'DNSKEY')).length > 0, 'the name server has keys for it');
    assert.deepEqual(await visit.faults(), []);
    await exact(visit, 'Stop signing').click();
    const question = visit.page.getByRole('dialog', { name: 'Stop signing signed.net?' });
    await question.getByRole('textbox').fill('signed.net');
    await question.getByRole('button', { name: 'Stop signing' }).click();
    await exact(visit, 'Sign this zone').waitFor();
    assert.deepEqual(await dig(names, 'signed.net', 'DNSKEY'), []);
  });

  it('finds work that a silent controller holds up, tries it again, and gives it up', async () => {
    const begun = await request<{ result: unknown }>(panel.server, 'POST', '/operator/service/suspend', {
      key: staff.text,
      params: { id: 1001, reason: 'Story', how: 'power' },
    });
    assert.equal(begun.status, 200, JSON.stringify(begun.body));
    await using visit = await visiting('staff', '/staff/work');
    const { page } = visit;
    await page.getByRole('table', { name: 'Workflows' }).getByRole('row').nth(1).getByRole('link').first().click();
    const tries = async () => Number((await work()).tries);
    await until(async () => (await tries()) >= 1, { saw: tries });
    await exact(visit, 'Try again now').click();
    await page.getByText('The step is tried again.').waitFor();
    assert.deepEqual(await visit.faults(), []);
    await exact(visit, 'Give up').click();
    const question = page.getByRole('dialog', { name: /^Give up “.*” of service 1001\?/ });
    await question.getByRole('button', { name: 'Give up and undo' }).click();
    await question.waitFor({ state: 'hidden' });
    await until(
      async () => {
        const { direction, ended } = await work();
        return direction === 'back' || ended !== '';
      },
      { saw: work },
    );
    await until(
      async () => {
        const giveUp = exact(visit, 'Give up');
        return /being undone|has ended/.test((await giveUp.getAttribute('aria-description')) ?? '');
      },
      { saw: () => page.locator('body').innerText() },
    );
  });

  it('lets a colleague in, and ends him: his session is over at once', async () => {
    await using visit = await visiting('staff', '/staff/security');
    const { page } = visit;
    await exact(visit, 'New colleague').click();
    const form = page.getByRole('dialog', { name: 'New colleague' });
    await form.getByRole('textbox', { name: 'Name' }).fill('otto');
    await form.getByRole('button', { name: 'Let them in' }).click();
    const shown = page.getByRole('group', { name: 'Password' });
    await shown.waitFor();
    const password = (await shown.innerText()).trim();
    await exact(visit, 'I have it').click();
    const session = await request<{ result: { key: string } }>(panel.server, 'POST', '/operator/session', {
      params: { name: 'otto', password },
    });
    assert.equal(session.status, 200, JSON.stringify(session.body));
    const statusOf = async () =>
      (await request(panel.server, 'GET', '/operator/session', { key: session.body.result.key })).status;
    assert.equal(await statusOf(), 200);
    await exact(visit, 'End otto').click();
    await page
      .getByRole('dialog', { name: 'End the access of otto?' })
      .getByRole('button', { name: 'End the access' })
      .click();
    const row = page.getByRole('row').filter({ hasText: 'otto' });
    await row.getByText('Ended').waitFor();
    await until(async () => (await statusOf()) === 401);
    assert.equal(await exact(visit, 'End otto').getAttribute('aria-description'), 'It has ended already.');
    await exact(visit, 'Change otto').click();
    const change = page.getByRole('dialog', { name: 'Change otto' });
    await change.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Let him come back' }).click();
    await change.getByRole('button', { name: 'Change', exact: true }).click();
    await row.getByText('Active').waitFor();
    assert.deepEqual(await visit.faults(), []);
  });
});
