// Rarely used actions of the customer panel, each checked from outside as well: at the serial line, the receiver, the
// API or the name server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { storeWebhookNetworks } from '#app/events/webhook-networks.ts';
import { openStore } from '#store/open.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { request, requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('rarely used customer actions', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
    await visit.holdKey('customer', panel.server.lab.customer.key);
  });

  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });
  const dialogue = (name: string | RegExp) => visit.page.getByRole('dialog', { name });
  const main = () => visit.page.locator('main').innerText();
  async function call<T>(method: string, path: string, params: object = {}, key?: string): Promise<T> {
    const sessionKey = key ?? panel.server.lab.customer.key;
    return requestResult<T>(panel.server, method, path, { key: sessionKey, params: params as Record<string, unknown> });
  }

  /** Allows loopback for webhooks, as an operator would in the site file. */
  async function openLoopback(): Promise<void> {
    const store = await openStore({ dataFolder: panel.server.data, database: undefined });
    await storeWebhookNetworks(store.queries, ['127.0.0.0/8']);
    await store.close();
  }

  it('send a break, after which the next key goes to the kernel', async () => {
    await visit.go('/servers/1001#console');
    const terminal = visit.page.locator('.xterm-rows');
    const waitForText = async (text: RegExp) =>
      until(async () => text.test(await terminal.innerText()), { saw: () => terminal.innerText() });
    // Output without a listener is lost; typing gets a response.
    await visit.page.locator('.xterm').click();
    await visit.page.keyboard.press('Enter');
    await waitForText(/login:/);
    await button('Send break').click();
    await visit.page.locator('.xterm').click();
    await visit.page.keyboard.type('h');
    await waitForText(/sysrq: HELP/);
  });

  it("press Ctrl+Alt+Del on a machine's screen, which restarts it", async () => {
    await visit.go('/servers/2001#console');
    const screen = visit.page.getByRole('img', { name: /^Console of/ });
    const picture = () => screen.evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
    await screen.waitFor();
    let displayed = '';
    // It is idle at its login prompt.
    await until(async () => {
      const before = displayed;
      displayed = await picture();
      await visit.page.waitForTimeout(1500);
      return displayed !== before ? false : displayed === (await picture());
    });
    await button('Ctrl+Alt+Del').click();
    await until(async () => (await picture()) !== displayed);
  });

  it('cancel an installation', async () => {
    await visit.go('/servers/1002#install');
    const system = visit.page.getByRole('radiogroup', { name: 'Operating system' }).getByRole('radio').first();
    await system.focus();
    await visit.page.keyboard.press('Space');
    await button('Install').click();
    const dialog = dialogue(/^Install .* on db1\.example\.net/);
    await dialog.getByRole('textbox').fill('db1.example.net');
    await dialog.getByRole('button', { name: 'Erase and install' }).click();
    await button('Done, I saved it').click();
    await button('Cancel installation').click();
    const cancel = dialogue('Cancel the installation on db1.example.net?');
    await cancel.getByRole('button', { name: 'Cancel installation' }).click();
    await cancel.waitFor({ state: 'hidden' });
    await until(async () => /Last installation[^]*Cancelled/.test(await main()), { saw: main });
    assert.equal(await call('PUT', '/v2/device/reload', { service: 1002 }), 'Cancelled');
  });

  it('rotate a key with an overlap during which the old secret still works', async () => {
    const { key: old } = await call<{ key: string }>('POST', '/v2/account/key', {
      name: 'turned',
      scopes: ['billing:read'],
    });
    const statusWith = async (key: string) =>
      (await request(panel.server, 'GET', '/v2/account/balance', { key })).status;
    const rotate = async (overlap: string): Promise<string> => {
      await visit.go('/keys');
      await button('Rotate turned').click();
      const form = dialogue('Rotate turned');
      await form.getByRole('combobox', { name: 'Old secret stays valid for' }).click();
      await visit.page.getByRole('option', { name: overlap }).click();
      await form.getByRole('button', { name: 'Rotate', exact: true }).click();
      const secret = visit.page.getByText(/^hy_/);
      await secret.waitFor();
      const text = (await secret.innerText()).trim();
      await button('Done, I saved it').click();
      return text;
    };
    const second = await rotate('1 hour');
    assert.deepEqual([await statusWith(old), await statusWith(second)], [200, 200]);
    const third = await rotate('Not at all (stops working now)');
    assert.deepEqual([await statusWith(third), await statusWith(second)], [200, 401]);
  });

  it('send events to a program, show their arrival, replay one, and rotate the secret', async () => {
    const received: Received[] = [];
    const receiver = createServer(async (message, response) => {
      let body = '';
      for await (const part of message) body += String(part);
      received.push({ headers: message.headers as Record<string, string>, body });
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    await openLoopback();
    try {
      const { page } = visit;
      const signedBy = (secret: string, { headers, body }: Received): boolean => {
        try {
          new Webhook(secret).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      };
      const shownSecret = async (): Promise<string> => {
        const secret = page.getByRole('group', { name: 'Secret' });
        await secret.waitFor();
        const text = (await secret.innerText()).trim();
        await button('Done, I saved it').click();
        return text;
      };
      await visit.go('/webhooks');
      await button('New webhook').click();
      const form = dialogue('New webhook');
      const url = form.getByRole('textbox', { name: 'URL' });
      await url.fill('http://169.254.169.254/latest');
      await form.getByRole('button', { name: 'Create webhook' }).click();
      await until(async () => (await url.getAttribute('aria-invalid')) === 'true');
      await url.fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
      await form.getByRole('button', { name: 'Create webhook' }).click();
      const first = await shownSecret();
      await call('POST', '/v2/account/key', { name: 'told of', scopes: ['billing:read'] });
      const row = page.getByRole('row').filter({ hasText: 'key.created' });
      await row.first().waitFor();
      await until(async () => (await row.first().innerText()).includes('Delivered'), { saw: main });
      assert.ok(signedBy(first, received.at(-1)!), 'signed with the secret that was shown');

      await row.first().getByRole('button', { name: 'Send again: key.created' }).click();
      await until(() => received.length === 2, { saw: () => received.length });
      assert.equal(
        received[1]!.headers['webhook-id'],
        received[0]!.headers['webhook-id'],
        'recognised as a repetition',
      );
      await page.getByText(/replay of /).waitFor();

      await button('Rotate secret').click();
      await dialogue('Rotate secret').getByRole('button', { name: 'Rotate', exact: true }).click();
      const second = await shownSecret();
      await page.getByText(/old secret also signs until/).waitFor();
      await call('POST', '/v2/account/key', { name: 'told of twice', scopes: ['billing:read'] });
      await until(() => received.length === 3, { saw: () => received.length });
      assert.deepEqual([signedBy(first, received[2]!), signedBy(second, received[2]!)], [true, true]);
      assert.deepEqual(await visit.accessibilityProblems(), []);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  });

  it('open an invoice in its own tab', async () => {
    await visit.go('/invoices');
    // The headless browser has no PDF viewer, so the tab downloads what it would display.
    const [download] = await Promise.all([
      visit.page
        .context()
        .waitForEvent('page')
        .then((tab) => tab.waitForEvent('download')),
      button(/^View LAB-.* as PDF/)
        .first()
        .click(),
    ]);
    assert.ok(download.url().startsWith(`blob:${panel.server.url}/`), download.url());
    assert.match(await readFile(await download.path(), 'latin1'), /^%PDF-/);
    await download.page().close();
  });

  it('delete several records with one confirmation that names them', async () => {
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'pressed.net' });
    for (const name of ['a', 'b', 'c'])
      await call('POST', '/v2/dns/record', {
        domain: zone,
        record: `${name}.pressed.net`,
        type: 'A',
        content: '192.0.2.1',
      });
    await visit.go(`/dns/${zone}`);
    for (const name of ['a', 'b'])
      await visit.page.getByRole('checkbox', { name: `Select ${name} A 192.0.2.1` }).check();
    await button('Delete 2 records').click();
    const dialog = dialogue('Delete 2 records of pressed.net?');
    assert.match(await dialog.innerText(), /a A 192\.0\.2\.1\s+b A 192\.0\.2\.1/);
    await dialog.getByRole('button', { name: 'Delete 2 records' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await until(async () => (await visit.page.getByRole('checkbox', { name: /^Select/ }).count()) === 4, { saw: main });
    const left = await call<{ name: string }[]>('GET', `/v2/dns/record/${zone}`);
    assert.deepEqual(
      left.map(({ name }) => name).filter((name) => name !== 'pressed.net'),
      ['c.pressed.net'],
    );
    await visit.page.getByRole('checkbox', { name: /^Select @ NS ns1/ }).check();
    await visit.page.getByRole('checkbox', { name: /^Select @ NS ns2/ }).check();
    const all = button('Delete 2 records');
    assert.equal(await all.getAttribute('aria-description'), 'A zone needs at least one name server.');
  });

  it('show the new changes if the zone changed after the preview', async () => {
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'meanwhile.net' });
    await visit.go(`/dns/${zone}#import`);
    await visit.page
      .getByRole('textbox', { name: 'Zone file' })
      .fill('$TTL 300\n@ NS ns1.example.net.\nwww A 192.0.2.9\n');
    await button('Preview changes').click();
    await button('Import').click();
    const dialog = dialogue('Import into meanwhile.net?');
    const params = { domain: zone, record: 'other.meanwhile.net', type: 'A', content: '192.0.2.8' };
    await call('POST', '/v2/dns/record', params);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await visit.page.getByText(/Nothing was imported/).waitFor();
    await visit.page.getByRole('table').getByText('192.0.2.8').waitFor();
    const records = async () =>
      (await call<{ content: string }[]>('GET', `/v2/dns/record/${zone}`)).map(({ content }) => content);
    assert.ok((await records()).includes('192.0.2.8'), 'the concurrent change is there');
    await button('Import').click();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await until(async () => (await records()).includes('192.0.2.9'), { saw: main });
    assert.ok(!(await records()).includes('192.0.2.8'));
  });

  it('show what an assistant proposes, approve one change and reject another', async () => {
    const { key } = await call<{ key: string }>('POST', '/v2/account/key', {
      name: 'assistant',
      scopes: ['read-only', 'plan:write'],
    });
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'planned.net' });
    const plan = { operation: 'zoneDelete', params: { domain: Number(zone) } };
    await visit.go('/');
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const { id } = await call<{ id: string }>('POST', '/v2/plan', plan, key);
    await visit.page.getByText('Approval needed: Delete a zone').click();
    const card = visit.page.getByRole('region', { name: `Change ${id}` });
    await card.getByText('zone planned.net with 3 records').waitFor();
    await card.getByRole('button', { name: 'Show API call' }).click();
    await card.getByText(/^zoneDelete \{/).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const isRun = async () => (await request(panel.server, 'POST', '/v2/plan/run', { key, params: { id } })).status;
    assert.equal(await isRun(), 409, 'nothing happens before the approval');
    await card.getByRole('button', { name: `Approve change ${id}` }).click();
    const dialog = dialogue('Approve: Delete a zone?');
    assert.match(await dialog.innerText(), /zone planned\.net with 3 records/);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved', { exact: true }).waitFor();
    assert.equal(await isRun(), 200);
    await card.getByText('Done', { exact: true }).waitFor();
    const other = await call<{ id: string }>(
      'POST',
      '/v2/plan',
      {
        operation: 'devicePowerSet',
        params: { service: 1001, action: 'off' },
      },
      key,
    );
    await button(`Reject change ${other.id}`).click();
    await visit.page
      .getByRole('region', { name: `Change ${other.id}` })
      .getByText('Rejected', { exact: true })
      .waitFor();
    const [rejected] = await call<{ status: string }[]>('GET', '/v2/plan', { id: other.id });
    assert.equal(rejected!.status, 'Refused');
  });

  it('show a suspended service, and why its actions are unavailable', async () => {
    await visit.go('/servers/3001');
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    await button('Power off').waitFor();
    const suspended = await request(panel.server, 'POST', '/operator/service/suspend', {
      key: panel.server.lab.operator.key,
      params: { id: 3001, reason: 'Abuse' },
    });
    assert.equal(suspended.status, 200, JSON.stringify(suspended.body));
    await until(async () => /Suspended/.test(await main()), { saw: main });
    await until(
      async () => (await button('Power off').getAttribute('aria-description')) === 'The service is suspended: Abuse.',
    );
    await visit.page.getByRole('tab', { name: 'Console' }).click();
    await visit.page.getByText(/The console is not available\. The service is suspended: Abuse\./).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await visit.page.getByRole('link', { name: 'Overview' }).click();
    await visit.page.getByText(/ is suspended$/).waitFor();
  });
});
