// What a customer seldom presses in the panel, pressed: each is seen from outside as well, by the line, the receiver, the key or the
// name server.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookNetworksPut } from '#app/events/webhook-networks.ts';
import { openStore } from '#store/open.ts';
import { needs } from '#test/support/needs.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('what a customer seldom presses', needs('chromium'), () => {
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = await openPanel();
    visit = await panel.visit();
    await visit.holdKey('customer', panel.server.lab.customer.key);
  });
  after(async () => {
    await visit?.[Symbol.asyncDispose]();
    await panel?.[Symbol.asyncDispose]();
  });

  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });
  const dialogue = (name: string | RegExp) => visit.page.getByRole('dialog', { name });
  const main = () => visit.page.locator('main').innerText();
  async function call<T>(method: string, path: string, params: object = {}, key?: string): Promise<T> {
    const held = key ?? panel.server.lab.customer.key;
    const { status, body } = await request<{ result: T }>(panel.server, method, path, {
      key: held,
      params: params as Record<string, unknown>,
    });
    assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`);
    return body.result;
  }

  /** To webhooks, as an operator opens a network of his own in the site file. */
  async function openLoopback(): Promise<void> {
    const store = await openStore({ dataFolder: panel.server.data, database: undefined });
    await webhookNetworksPut(store.queries, ['127.0.0.0/8']);
    await store.close();
  }

  it('sends a break, after which the next key is the kernel’s', async () => {
    await visit.go('/servers/1001#console');
    const terminal = visit.page.locator('.xterm-rows');
    const says = async (text: RegExp) =>
      until(async () => text.test(await terminal.innerText()), { saw: () => terminal.innerText() });
    await says(/login:/);
    await button('Send break').click();
    await visit.page.locator('.xterm').click();
    await visit.page.keyboard.type('h');
    await says(/sysrq: HELP/);
  });

  it('presses Ctrl+Alt+Del on the screen of a machine, which starts again', async () => {
    await visit.go('/servers/2001#console');
    const screen = visit.page.getByRole('img', { name: /^Console of/ });
    const picture = () => screen.evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
    await screen.waitFor();
    let shown = '';
    // It stands still at its login.
    await until(async () => {
      const before = shown;
      shown = await picture();
      await visit.page.waitForTimeout(1500);
      return shown !== before ? false : shown === (await picture());
    });
    await button('Ctrl+Alt+Del').click();
    await until(async () => (await picture()) !== shown);
  });

  it('calls an installation off', async () => {
    await visit.go('/servers/1002#install');
    const system = visit.page.getByRole('radiogroup', { name: 'System' }).getByRole('radio').first();
    await system.focus();
    await visit.page.keyboard.press('Space');
    await button('Install').click();
    const question = dialogue(/^Install .* on db1\.example\.net/);
    await question.getByRole('textbox').fill('db1.example.net');
    await question.getByRole('button', { name: 'Erase and install' }).click();
    await button('I have it').click();
    await button('Cancel installation').click();
    const cancel = dialogue('Cancel the installation on db1.example.net?');
    await cancel.getByRole('button', { name: 'Cancel installation' }).click();
    await cancel.waitFor({ state: 'hidden' });
    await until(async () => /Last installation[^]*Cancelled/.test(await main()), { saw: main });
    assert.equal(await call('PUT', '/v2/device/reload', { service: 1002 }), 'Cancelled');
  });

  it('gives a key a new secret, beside which the old one works on for as long as he says', async () => {
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
      await form.getByRole('combobox', { name: 'The old secret works on for' }).click();
      await visit.page.getByRole('option', { name: overlap }).click();
      await form.getByRole('button', { name: 'Rotate', exact: true }).click();
      const secret = visit.page.getByText(/^hy_/);
      await secret.waitFor();
      const text = (await secret.innerText()).trim();
      await button('I have it').click();
      return text;
    };
    const second = await rotate('An hour');
    assert.deepEqual([await statusWith(old), await statusWith(second)], [200, 200]);
    const third = await rotate('Not at all: it ends now');
    assert.deepEqual([await statusWith(third), await statusWith(second)], [200, 401]);
  });

  it('has events sent to his program, sees them arrive, sends one again, and changes the secret over', async () => {
    const received: Received[] = [];
    const receiver = createServer(async (message, answer) => {
      let body = '';
      for await (const part of message) body += String(part);
      received.push({ headers: message.headers as Record<string, string>, body });
      answer.end();
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
        await button('I have it').click();
        return text;
      };
      await visit.go('/webhooks');
      await button('New webhook').click();
      const form = dialogue('New webhook');
      const url = form.getByRole('textbox', { name: 'URL' });
      await url.fill('http://169.254.169.254/latest');
      await form.getByRole('button', { name: 'Make the webhook' }).click();
      await until(async () => (await url.getAttribute('aria-invalid')) === 'true');
      await url.fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
      await form.getByRole('button', { name: 'Make the webhook' }).click();
      const first = await shownSecret();
      await call('POST', '/v2/account/key', { name: 'told of', scopes: ['billing:read'] });
      const row = page.getByRole('row').filter({ hasText: 'key.created' });
      await row.first().waitFor();
      await until(async () => (await row.first().innerText()).includes('Delivered'), { saw: main });
      assert.ok(signedBy(first, received.at(-1)!), 'signed with the secret that was shown');

      await row.first().getByRole('button', { name: 'Send again: key.created' }).click();
      await until(() => received.length === 2, { saw: () => received.length });
      assert.equal(received[1]!.headers['webhook-id'], received[0]!.headers['webhook-id'], 'known as a repetition');
      await page.getByText(/repeats /).waitFor();

      await button('Rotate the secret').click();
      await dialogue('Rotate the secret').getByRole('button', { name: 'Rotate', exact: true }).click();
      const second = await shownSecret();
      await page.getByText(/the old secret signs too until/).waitFor();
      await call('POST', '/v2/account/key', { name: 'told of twice', scopes: ['billing:read'] });
      await until(() => received.length === 3, { saw: () => received.length });
      assert.deepEqual([signedBy(first, received[2]!), signedBy(second, received[2]!)], [true, true]);
      assert.deepEqual(await visit.faults(), []);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  });

  it('opens an invoice in a tab of its own', async () => {
    await visit.go('/invoices');
    const [tab] = await Promise.all([
      visit.page.context().waitForEvent('page'),
      button(/^Open the PDF of LAB-/)
        .first()
        .click(),
    ]);
    await until(() => tab.url().startsWith(`blob:${panel.server.url}/`), { saw: () => tab.url() });
    // What the browser shows PDFs with: had the page's policy refused it, there would be none.
    await until(async () => (await tab.evaluate<string>('document.contentType')) === 'application/pdf');
    await tab.close();
  });

  it('deletes several records by one question that names them', async () => {
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'pressed.net' });
    for (const name of ['a', 'b', 'c'])
      await call('POST', '/v2/dns/record', {
        domain: zone,
        record: `${name}.pressed.net`,
        type: 'A',
        content: '192.0.2.1',
      });
    await visit.go(`/dns/${zone}`);
    for (const name of ['a', 'b']) await visit.page.getByRole('checkbox', { name: `Pick ${name} A 192.0.2.1` }).check();
    await button('Delete 2 records').click();
    const question = dialogue('Delete 2 records of pressed.net?');
    assert.match(await question.innerText(), /a A 192\.0\.2\.1\s+b A 192\.0\.2\.1/);
    await question.getByRole('button', { name: 'Delete 2 records' }).click();
    await question.waitFor({ state: 'hidden' });
    await until(async () => (await visit.page.getByRole('checkbox', { name: /^Pick/ }).count()) === 4, { saw: main });
    const left = await call<{ name: string }[]>('GET', `/v2/dns/record/${zone}`);
    assert.deepEqual(
      left.map(({ name }) => name).filter((name) => name !== 'pressed.net'),
      ['c.pressed.net'],
    );
    await visit.page.getByRole('checkbox', { name: /^Pick @ NS ns1/ }).check();
    await visit.page.getByRole('checkbox', { name: /^Pick @ NS ns2/ }).check();
    const all = button('Delete 2 records');
    assert.equal(await all.getAttribute('aria-description'), 'A zone cannot be without a name server.');
  });

  it('is shown the new difference where the zone changed after he looked at the old one', async () => {
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'meanwhile.net' });
    await visit.go(`/dns/${zone}#import`);
    await visit.page
      .getByRole('textbox', { name: 'Zone file' })
      .fill('$TTL 300\n@ NS ns1.example.net.\nwww A 192.0.2.9\n');
    await button('Show the difference').click();
    await button('Replace the records').click();
    const question = dialogue('Replace the records of meanwhile.net?');
    const params = { domain: zone, record: 'other.meanwhile.net', type: 'A', content: '192.0.2.8' };
    await call('POST', '/v2/dns/record', params);
    await question.getByRole('button', { name: 'Replace the records' }).click();
    await visit.page.getByText(/Nothing was replaced/).waitFor();
    await visit.page.getByRole('table').getByText('192.0.2.8').waitFor();
    const records = async () =>
      (await call<{ content: string }[]>('GET', `/v2/dns/record/${zone}`)).map(({ content }) => content);
    assert.ok((await records()).includes('192.0.2.8'), 'what came meanwhile is there');
    await button('Replace the records').click();
    await question.getByRole('button', { name: 'Replace the records' }).click();
    await until(async () => (await records()).includes('192.0.2.9'), { saw: main });
    assert.ok(!(await records()).includes('192.0.2.8'));
  });

  it('reads what an assistant plans, approves one plan and refuses another', async () => {
    const { key } = await call<{ key: string }>('POST', '/v2/account/key', {
      name: 'assistant',
      scopes: ['read-only', 'plan:write'],
    });
    const zone = await call<string>('POST', '/v2/dns/domain', { domain: 'planned.net' });
    const plan = { operation: 'zoneDelete', params: { domain: Number(zone) } };
    await visit.go('/');
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const { id } = await call<{ id: string }>('POST', '/v2/plan', plan, key);
    await visit.page.getByText('A plan waits for your decision: Remove a zone and its records').click();
    const card = visit.page.getByRole('region', { name: `Plan ${id}` });
    await card.getByText('zone planned.net with 3 records').waitFor();
    await card.getByRole('button', { name: 'Show the call' }).click();
    await card.getByText(/^zoneDelete \{/).waitFor();
    assert.deepEqual(await visit.faults(), []);
    const isRun = async () => (await request(panel.server, 'POST', '/v2/plan/run', { key, params: { id } })).status;
    assert.equal(await isRun(), 409, 'nothing is done before');
    await card.getByRole('button', { name: `Approve plan ${id}` }).click();
    const question = dialogue('Approve: Remove a zone and its records?');
    assert.match(await question.innerText(), /zone planned\.net with 3 records/);
    await question.getByRole('button', { name: 'Approve' }).click();
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
    await button(`Refuse plan ${other.id}`).click();
    await visit.page
      .getByRole('region', { name: `Plan ${other.id}` })
      .getByText('Refused', { exact: true })
      .waitFor();
    const [refused] = await call<{ status: string }[]>('GET', '/v2/plan', { id: other.id });
    assert.equal(refused!.status, 'Refused');
  });

  it('sees a service that was suspended, and why nothing can be done with it', async () => {
    await visit.go('/servers/3001');
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    await button('Switch off').waitFor();
    const suspended = await request(panel.server, 'POST', '/operator/service/suspend', {
      key: panel.server.lab.operator.key,
      params: { id: 3001, reason: 'Abuse' },
    });
    assert.equal(suspended.status, 200, JSON.stringify(suspended.body));
    await until(async () => /Suspended/.test(await main()), { saw: main });
    await until(
      async () => (await button('Switch off').getAttribute('aria-description')) === 'The service is suspended.',
    );
    await visit.page.getByRole('tab', { name: 'Console' }).click();
    await visit.page.getByText(/There is no console now\. The service is suspended\./).waitFor();
    assert.deepEqual(await visit.faults(), []);
    await visit.page.getByRole('link', { name: 'Overview' }).click();
    await visit.page.getByText(/ is suspended$/).waitFor();
  });
});
