// The API reference in a browser; test/panel/session.test.ts proves that its scripts cannot use the panel's session.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn } from '#test/support/panel.ts';

it('the API reference sends requests with a key', needsChromium(), async () => {
  await using panel = await openPanelOn(openTestApp);
  await using visit = await panel.visit();
  const { page } = visit;
  await page.goto(`${panel.server.url}/docs#tag/account/GET/v2/account`);
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.scalar-password-input').fill(panel.server.lab.customer.key);
  const responded = page.waitForResponse((response) => response.url().endsWith('/v2/account'));
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  assert.equal((await responded).status(), 200);
  await dialog.getByText(panel.server.lab.customer.email).first().waitFor();
});
