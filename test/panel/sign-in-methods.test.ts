// A person changes how they sign in, in the panel: every step asks for the password, a code or a passkey. The passkeys
// are those of Chromium's virtual authenticator.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { totpBytes, totpCode, totpStep } from '#lib/totp.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { codeOf, createOperator, operatorResult } from '#test/support/operators.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('sign-in methods in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  before(async () => void (panel = owned.use(await openPanelOn(() => openTestApp()))));

  /** Passkeys need a host name. */
  const home = () => panel.server.url.replace('127.0.0.1', 'localhost');
  const dialog = (page: Page) => page.getByRole('dialog');
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

  it('are added with the password, and removed with a code or a passkey', async () => {
    const { email, password, key } = panel.server.lab.customer;
    const { page } = owned.use(await panel.visit());
    const browser = await page.context().newCDPSession(page);
    await browser.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    await browser.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } });
    await page.goto(`${home()}/panel/sign-in`);
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.locator('input[type="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${home()}/panel/security`);

    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await dialog(page).getByLabel('Current password').fill('wrong');
    await press(page, 'Continue');
    await dialog(page).getByText('Current password is incorrect.').waitFor();
    await dialog(page).getByLabel('Current password').fill(password);
    await press(page, 'Continue');
    const link = await dialog(page)
      .getByRole('link', { name: /open it/ })
      .getAttribute('href');
    const secret = new URL(link!).searchParams.get('secret')!.toLowerCase();
    const codeIn = (steps: number): string =>
      totpCode(totpBytes(secret), totpStep(panel.server.parts.clock.now()) + steps);
    await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeIn(0));
    await press(page, 'Confirm');
    await page.getByRole('button', { name: 'Disable' }).waitFor();

    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await dialog(page).getByLabel('Current password').fill(password);
    await press(page, 'Continue');
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog(page).getByText('Code', { exact: true }).click();
    await dialog(page).getByLabel('Authentication code').fill(codeIn(1));
    await press(page, 'Disable');
    await page.getByRole('button', { name: 'Set up', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await dialog(page).getByText('Passkey', { exact: true }).click();
    await press(page, 'Remove');
    await page.getByText('No passkeys yet').waitFor();

    const log = { key, params: { newest: true, limit: 10 } };
    const { events } = await requestResult<{ events: { type: string }[] }>(panel.server, 'GET', '/v2/event', log);
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type.startsWith('account.factor.')),
      ['account.factor.added', 'account.factor.added', 'account.factor.removed', 'account.factor.removed'],
    );
  });

  it('of staff without a second factor are set up before the page they opened', async () => {
    const { name, password } = await createOperator(panel.server, 'owner');
    const session = await operatorResult<{ key: string }>(panel.server, 'POST', 'session', { name, password });
    const { page, go, holdKey } = owned.use(await panel.visit());
    await holdKey('staff', session.key);
    await go('/staff/customers');
    await page.getByLabel('Your password').fill(password);
    assert.equal(await page.getByText('Something went wrong').count(), 0);
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const link = await page.getByRole('link', { name: 'open it in an app on this device' }).getAttribute('href');
    const code = codeOf(panel.server, new URL(link!).searchParams.get('secret')!.toLowerCase());
    await page.getByLabel('Authentication code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.getByText('ada@example.net').first().waitFor();
    assert.equal(await page.getByText('Something went wrong').count(), 0);
  });
});
