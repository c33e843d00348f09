// Single sign-on in a browser: staff and a customer go through the page of a real identity provider and back.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { applySite } from '#app/site/apply.ts';
import type { AccountId } from '#store/account-id.ts';
import { domainInsert, providerPut } from '#store/sign-on/sign-on.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { startIdentityProvider, type IdentityProvider } from '#test/support/identity-provider.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('single sign-on in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let provider: IdentityProvider;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    const { url, lab, site, parts } = panel.server;
    const account = Number(lab.customer.account) as AccountId;
    provider = owned.use(
      await startIdentityProvider([`${url}/panel/sign-on/staff`, `${url}/panel/sign-on/${account}`]),
    );
    provider.people.set('ada', { email: 'ada@staff.example', email_verified: true, groups: ['noc'] });
    provider.people.set('kim', { email: 'kim@tenant.example', groups: ['ops'] });
    const { issuer, clientId, clientSecret } = provider;
    const roles = [{ value: 'noc', role: 'engineer' as const }];
    const signOn = { issuer, clientId, clientSecret, roles, scopes: ['email', 'groups'], label: 'Example login' };
    await applySite(parts, { ...site, signOn, webhooks: { allow: ['127.0.0.1/32'] } });
    const { queries } = parts.store;
    await providerPut(queries, {
      account_id: account,
      issuer,
      client_id: clientId,
      client_secret: parts.secrets.seal(clientSecret, `sign_on_providers client_secret ${account}`),
      scopes: '["email","groups"]',
      claim: 'groups',
      grants: JSON.stringify([{ value: 'ops', permissions: ['device:read', 'account:read'] }]),
      updated_at: 0,
    });
    const domain = { account_id: account, domain: 'tenant.example', token: 'x', required: 0, created_at: 0 };
    await domainInsert(queries, { ...domain, verified_at: 1 });
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  async function signInAtProvider(page: Page, login: string): Promise<void> {
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
  }

  it('signs in staff, and opens the page that they asked for', async () => {
    const { page, go, accessibilityProblems } = owned.use(await panel.visit());
    await go('/staff/security');
    await page.getByRole('button', { name: 'Example login' }).click();
    await signInAtProvider(page, 'ada');
    await heading(page, 'Sign-in and security').waitFor();
    await page.getByRole('heading', { level: 2, name: 'ada', exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '', 'the code is not left in the address');
    assert.equal(await page.evaluate(() => sessionStorage.getItem('hostyard.sign-on.staff')), null);
    // A response that was not asked for in this tab completes nothing.
    await go('/sign-on/staff?code=stolen&state=other');
    await page.getByText('This sign-in was not started in this tab').waitFor();
    assert.deepEqual(await accessibilityProblems(), []);
  });

  it('signs in a customer by the domain of the email address', async () => {
    const { page, go } = owned.use(await panel.visit());
    await go('/sign-in');
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await page.getByText('Enter your email address first').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('kim@tenant.example');
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await signInAtProvider(page, 'kim');
    await heading(page, 'Overview').waitFor();
    assert.equal(new URL(page.url()).origin, panel.server.url);
  });

  it('shows the account its identity provider and domains', async () => {
    const { page, go, accessibilityProblems } = owned.use(await panel.visit());
    const { email, password } = panel.server.lab.customer;
    await go('/sign-in?from=%2Fsecurity');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.locator('input[type="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const card = page.getByRole('region', { name: 'Single sign-on', exact: true });
    await card.getByText('tenant.example').waitFor();
    await card.getByText(provider.issuer).waitFor();
    await card.scrollIntoViewIfNeeded();
    assert.deepEqual(await accessibilityProblems(), []);
  });
});
