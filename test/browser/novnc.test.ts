// The VNC console of a virtual machine in a browser, as customers open it: noVNC through a ticket's WebSocket.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { openMachine } from '#test/support/machines.ts';
import { openNoVnc } from '#test/support/novnc.ts';
import { until } from '#test/support/until.ts';

describe('noVNC in Chromium', needsChromium(), () => {
  it('shows the login prompt of a machine, and what is typed there', async () => {
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
  });
});
