// Screens in a browser, as customers open them: noVNC through a ticket's WebSocket for a virtual machine, and the controller's
// own page for a dedicated server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchChromium, needsChromium } from '#test/support/chromium.ts';
import { openWebConsole } from '#test/support/console-gateway.ts';
import { assertResult, openDevice } from '#test/support/devices.ts';
import { becomeContainer, openMachine } from '#test/support/machines.ts';
import { litPoints, openNoVnc } from '#test/support/novnc.ts';
import { until } from '#test/support/until.ts';

describe('noVNC in Chromium', needsChromium(), () => {
  it('shows the login prompt of a machine and of a container, and what is typed there', async () => {
    await using machine = await openMachine();
    await until(() => machine.own().screen.text().includes('login:'));
    const ticket = async () => ((await machine.v2('POST', 'console')).body.result as { url: string }).url;
    await using browser = await openNoVnc(machine.app.url, ticket);
    assert.equal(browser.name, 'vm-101');
    await until(async () => (await browser.lit()) > 100, { saw: browser.log });
    const before = await browser.lit();
    await browser.type('root');
    await until(() => machine.own().screen.text().includes('login: root'));
    await until(async () => (await browser.lit()) > before, { saw: browser.log });
    await browser[Symbol.asyncDispose]();
    await becomeContainer(machine);
    await using onContainer = await openNoVnc(machine.app.url, ticket);
    const shows = (pattern: RegExp) =>
      until(async () => pattern.test(await onContainer.text()), { saw: onContainer.text });
    await shows(/vps1\.example\.net login:$/);
    await onContainer.type('root');
    await shows(/vps1\.example\.net login: root$/);
    machine.own().serial.print('\x1b[2J\x1b[5;3H\x1b[1;33;44mUpgraded\x1b[0m');
    await shows(/^\n{4} {2}Upgraded$/);
  });

  it("shows the screen of a dedicated server on its controller's page, behind the gateway", async () => {
    await using device = await openDevice();
    const { screen } = device.app.equipment.secondaryRedfish.simulator.kvm;
    await until(() => screen.text().includes('web1 login:'));
    await using owned = new AsyncDisposableStack();
    const browser = await launchChromium();
    owned.defer(() => browser.close());
    const page = await browser.newPage({ permissions: ['local-network-access'] });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const saw = async () => ({ url: page.url(), page: await page.content().catch(String), complaints });
    await page.goto((await openWebConsole(device)).url);
    await page.waitForURL(/^http:\/\/[a-z2-7]{20}\.localhost:[0-9]+\/console\/$/);
    await until(async () => (await litPoints(page)) > 100, { saw });
    const before = await litPoints(page);
    await page.locator('canvas').click();
    await page.keyboard.type('root', { delay: 10 });
    await until(() => screen.text().includes('web1 login: root'), { saw });
    await until(async () => (await litPoints(page)) > before, { saw });
    const cookies = await page.evaluate('document.cookie');
    assert.equal(cookies, '', 'scripts of the page cannot read the cookies of the gateway and the controller');
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    await until(async () => (await page.textContent('#status')) === 'Disconnected', { saw });
  });
});
