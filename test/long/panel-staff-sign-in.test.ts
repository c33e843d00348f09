// A member of staff adds a passkey and signs in with it, and announces maintenance, of which the customer sees a notice.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { maintenanceWorker } from '#app/operator/maintenance-notification.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { createOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('staff in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp()));
    await panel.server.parts.queue.start([maintenanceWorker(panel.server.parts)]);
  });

  /** Passkeys need a host name. */
  const home = () => panel.server.url.replace('127.0.0.1', 'localhost');
  const dialog = (page: Page) => page.getByRole('dialog');
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

  it('add a passkey as their second factor, and sign in with it alone', async () => {
    const { name, password } = await createOperator(panel.server, 'engineer');
    const { page } = owned.use(await panel.visit());
    const browser = await page.context().newCDPSession(page);
    await browser.send('WebAuthn.enable');
    const device = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    await browser.send('WebAuthn.addVirtualAuthenticator', { options: { ...device, isUserVerified: true } });
    await page.goto(`${home()}/panel/sign-in?staff=true`);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.locator('input[type="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await dialog(page).getByLabel('Current password').fill(password);
    await press(page, 'Continue');
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${home()}/panel/sign-in?staff=true`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
    await page.goto(`${home()}/panel/staff/security`);
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
  });

  it('announce maintenance, of which the affected customer sees a notice', async () => {
    const { lab } = panel.server;
    const { page, go, holdKey } = owned.use(await panel.visit());
    await holdKey('staff', lab.operator.key);
    await go('/staff/maintenance');
    await page.getByRole('button', { name: 'Plan maintenance' }).first().click();
    await dialog(page).getByRole('textbox', { name: 'Title' }).fill('Replacement of a switch');
    await dialog(page).getByRole('textbox', { name: 'Text' }).fill('Five minutes without a network.');
    await dialog(page).getByLabel('Servers').fill('nobody');
    await dialog(page).getByLabel('Servers').press('Enter');
    await press(page, 'Save');
    await dialog(page).getByText('must be known equipment, unlike nobody').waitFor();
    await dialog(page).getByLabel('Servers').press('Backspace');
    await dialog(page).getByLabel('Servers').fill(lab.dedicated.server);
    await dialog(page).getByLabel('Servers').press('Enter');
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Announce Replacement of a switch' }).click();
    await press(page, 'Announce');
    await page.getByRole('button', { name: 'Complete Replacement of a switch' }).waitFor();

    const { page: customers, go: open, holdKey: hold } = owned.use(await panel.visit());
    await hold('customer', lab.customer.key);
    await open('/');
    await customers.getByText('Five minutes without a network.').waitFor();
    assert.equal(await customers.getByText(lab.dedicated.server).count(), 0);
  });
});
