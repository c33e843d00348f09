// People in a browser: one forgot their password, another is invited. Both choose a password with a link from a message.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { recoveryWorker } from '#app/account/recovery.ts';
import { mailWorker } from '#app/mail/sending.ts';
import { applySite } from '#app/site/apply.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { untilDefined } from '#test/support/until.ts';

const chosen = 'a horse that I chose';

describe('links from messages, in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let relay: SmtpServer;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    panel = owned.use(await openPanelOn(() => openTestApp()));
    const { parts, site, url } = panel.server;
    const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
    await applySite(parts, { ...site, mail: { from: 'noreply@provider.example', url, relays } });
    await parts.queue.start([mailWorker(parts), recoveryWorker(parts)]);
  });

  /** Opens the link of the message to this address. */
  async function openLink(page: Page, email: string): Promise<void> {
    const link = await untilDefined(async () => {
      const mail = relay.accepted.find(
        ({ to, source }) => to === email && /panel\/(?:recover|invitation)#/.test(source),
      );
      const { text = '' } = mail === undefined ? {} : await PostalMime.parse(mail.source);
      return /^http\S+#[\w-]{43}$/m.exec(text)?.[0];
    });
    await page.goto(link);
    await page.getByText('At least 10 characters').waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token stays in the address');
  }
  async function choosePassword(page: Page, button: string): Promise<void> {
    await page.getByLabel('New password').fill(chosen);
    await page.getByLabel('Repeat the password').fill(chosen);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('status').waitFor();
  }
  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.locator('input[type="password"]').fill(chosen);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  it('replace a forgotten password', async () => {
    const { email } = panel.server.lab.customer;
    const visit = owned.use(await panel.visit());
    const { page } = visit;
    await visit.go('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('status').waitFor();
    await openLink(page, email);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByText('Mindestens 10 Zeichen').waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token is in the address again');
    await page.getByRole('button', { name: 'English' }).click();
    await choosePassword(page, 'Set password');
    await signIn(page, email);
  });

  it('let an invited contact in, and a used link says that it is used', async () => {
    const visit = owned.use(await panel.visit());
    const { page } = visit;
    await visit.holdKey('customer', panel.server.lab.customer.key);
    await visit.go('/contacts');
    await page.getByRole('button', { name: 'Invite contact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Jürgen');
    await dialog.getByLabel('Last name').fill('東京');
    await dialog.getByLabel('Email').fill('juergen@example.com');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('button', { name: 'Send again to Jürgen 東京' }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const guest = owned.use(await panel.visit());
    await openLink(guest.page, 'juergen@example.com');
    await choosePassword(guest.page, 'Accept');
    await signIn(guest.page, 'juergen@example.com');
    const late = owned.use(await panel.visit());
    await openLink(late.page, 'juergen@example.com');
    await late.page.getByLabel('New password').fill(chosen);
    await late.page.getByLabel('Repeat the password').fill(chosen);
    await late.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await late.page.getByText('This link has expired or was already used.').waitFor();
  });
});
