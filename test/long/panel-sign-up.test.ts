// People in a browser who sign up: the proof of work, the message, the password, and the first page of their account; and
// staff who approve them.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { mailWorker } from '#app/mail/sending.ts';
import { signUpWorker } from '#app/sign-up/requests.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { allowSignUp } from '#test/support/sign-up-fixtures.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { untilDefined } from '#test/support/until.ts';

const chosen = 'a horse that I chose';

describe('sign-up in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let relay: SmtpServer;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    panel = owned.use(await openPanelOn(() => openTestApp()));
    const { parts } = panel.server;
    await parts.queue.start([mailWorker(parts), signUpWorker(parts)]);
  });

  /** Opens the path of the link in the message: its host is the provider's. */
  async function openLink(page: Page, email: string): Promise<void> {
    const path = await untilDefined(async () => {
      const mail = relay.accepted.findLast(({ to, source }) => to === email && source.includes('/panel/sign-up'));
      const { text = '' } = mail === undefined ? {} : await PostalMime.parse(mail.source);
      return /^https:\/\/panel\.provider\.example(\/panel\/sign-up\S*#[\w-]{43})$/m.exec(text)?.[1];
    });
    await page.goto(`${panel.server.url}${path}`);
    await page.locator('form').waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token stays in the address');
  }
  async function fillForm(page: Page, email: string): Promise<void> {
    await page.getByRole('textbox', { name: 'First name' }).fill('Jürgen');
    await page.getByRole('textbox', { name: 'Last name' }).fill('O’Brien 東京');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('combobox', { name: 'Country' }).fill('Germany');
    await page.getByRole('option', { name: 'Germany (DE)' }).click();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  }
  async function choosePassword(page: Page): Promise<void> {
    await page.getByLabel('New password').fill(chosen);
    await page.getByLabel('Repeat the password').fill(chosen);
    await page.getByRole('button', { name: 'Create account' }).click();
  }

  it('leads from the sign-in page to the overview of a new account', async () => {
    await allowSignUp(panel.server, { difficulty: 14 }, relay.port);
    const visit = owned.use(await panel.visit());
    const { page } = visit;
    await visit.go('/sign-in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('textbox', { name: 'First name' }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await fillForm(page, 'juergen@example.com');
    await openLink(page, 'juergen@example.com');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await choosePassword(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit.settle();
    const late = owned.use(await panel.visit());
    await openLink(late.page, 'juergen@example.com');
    await choosePassword(late.page);
    await late.page.getByText('This link has expired or was already used.').waitFor();
    await late.page.getByRole('link', { name: 'Sign up again' }).waitFor();
  });

  it('waits for staff, who approve', async () => {
    await allowSignUp(panel.server, { mode: 'approved' }, relay.port);
    const visit = owned.use(await panel.visit());
    await visit.go('/sign-up');
    await fillForm(visit.page, 'waiting@example.com');
    await openLink(visit.page, 'waiting@example.com');
    await choosePassword(visit.page);
    await visit.page.getByText('We send you a message when your account is approved.', { exact: false }).waitFor();
    const staff = owned.use(await panel.visit());
    await staff.holdKey('staff', panel.server.lab.operator.key);
    await staff.go('/staff/sign-ups');
    await staff.page.getByRole('button', { name: 'Approve Jürgen O’Brien 東京' }).click();
    await staff.page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await staff.page.getByText('Account created').waitFor();
    await staff.page.getByText('No sign-ups').waitFor();
    assert.deepEqual(await staff.accessibilityProblems(), []);
  });

  it('needs an invitation, and has no link if it is off', async () => {
    await allowSignUp(panel.server, { mode: 'invited' }, relay.port);
    const staff = owned.use(await panel.visit());
    await staff.holdKey('staff', panel.server.lab.operator.key);
    await staff.go('/staff/sign-ups');
    await staff.page.getByRole('button', { name: 'Invite somebody' }).click();
    await staff.page.getByRole('dialog').getByLabel('Email').fill('guest@example.com');
    await staff.page.getByRole('button', { name: 'Create invitation' }).click();
    await staff.page.getByRole('button', { name: 'Done, I saved it' }).click();
    const guest = owned.use(await panel.visit());
    await guest.go('/sign-up');
    await guest.page.getByText('You need an invitation').waitFor();
    await openLink(guest.page, 'guest@example.com');
    await fillForm(guest.page, 'guest@example.com');
    await allowSignUp(panel.server, { mode: 'off' }, relay.port);
    await guest.go('/sign-in');
    await guest.settle();
    await guest.page.getByRole('link', { name: 'Staff sign-in' }).waitFor();
    assert.equal(await guest.page.getByRole('link', { name: 'Create an account' }).count(), 0);
  });
});
