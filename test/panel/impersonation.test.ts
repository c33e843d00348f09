// Staff in the panel: what a role may not set is not offered, and support views an account under a banner, in view of
// the customer.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OperatorRole } from '#contract/roles.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { accountFields, operatorResult, signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('staff and a customer in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  before(async () => void (panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })))));

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const customerPath = () => `/staff/customers/${panel.server.lab.customer.account}`;
  async function visitAs(role: OperatorRole): Promise<Visit & { readonly name: string }> {
    const { key, name } = await signInOperator(panel.server, role);
    const visit = owned.use(await panel.visit());
    await visit.holdKey('staff', key);
    return { ...visit, name };
  }

  it('offers support no way to change how a customer signs in', async () => {
    const { page, go } = await visitAs('support');
    await go(customerPath());
    assert.equal(await button(page, 'Reset 2FA').getAttribute('aria-disabled'), 'true');
    await button(page, 'Edit').click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Email').getAttribute('readonly'), '');
    assert.equal(await dialog.getByLabel('New password').count(), 0);
    await dialog.getByLabel('City').fill('Odense');
    await button(page, 'Save').click();
    await page.getByText('Odense').first().waitFor();
    await page.getByRole('tab', { name: /API keys/ }).click();
    assert.equal(await button(page, 'New API key').getAttribute('aria-disabled'), 'true');
  });

  it('asks an owner for the reason of a new email address', async () => {
    const { page, go } = await visitAs('owner');
    const account = await operatorResult<string>(panel.server, 'POST', 'account', accountFields());
    await go(`/staff/customers/${account}`);
    await button(page, 'Edit').click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel(/^Reason/).count(), 0);
    await dialog.getByLabel('Email').fill(`new-${account}@example.com`);
    await dialog.getByLabel(/^Reason/).fill('Asked for by letter');
    await button(page, 'Save').click();
    await page.getByText(`new-${account}@example.com`).first().waitFor();
  });

  it('lets support view the account under a banner, until the customer ends it', async () => {
    const support = await visitAs('support');
    const { page, go } = support;
    const view = async (): Promise<void> => {
      await button(page, 'View as customer').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Ticket 4711');
      await dialog.getByRole('button', { name: 'View as customer' }).click();
      await page.getByText(/You are acting as/).waitFor();
    };
    await go(customerPath());
    await view();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.deepEqual(await support.accessibilityProblems(), []);
    await page.getByRole('link', { name: 'Servers', exact: true }).click();
    await page.getByText(/You are acting as/).waitFor();
    await button(page, 'End').click();
    await page.waitForURL(`**/panel${customerPath()}`);

    await view();
    const customer = owned.use(await panel.visit());
    await customer.holdKey('customer', panel.server.lab.customer.key);
    await customer.go('/security');
    const card = customer.page.getByRole('region', { name: 'Support access' }).first();
    await card.getByText('Ticket 4711').first().waitFor();
    await button(customer.page, `End access of ${support.name}`).click();
    await customer.page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await customer.page.getByText('Support access ended').first().waitFor();
    await page.waitForURL(`**/panel${customerPath()}`);
  });

  it('has a customer replace a password that staff chose', async () => {
    const { email, ...fields } = accountFields();
    await operatorResult(panel.server, 'POST', 'account', { ...fields, email, password: 'from staff' });
    const visit = owned.use(await panel.visit());
    const { page, go } = visit;
    await go('/sign-in');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.locator('input[type="password"]').fill('from staff');
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const [current, first, second] = await page.locator('input[type="password"]').all();
    await current!.fill('from staff');
    await first!.fill('my own password');
    await second!.fill('my own password');
    await button(page, 'Change password').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
