// The certificate of a server as a customer sees it, and a server in quarantine as staff do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { handOverCertificates, issueCertificate } from '#app/servers/certificates.ts';
import type { AccountId } from '#store/account-id.ts';
import { reclaimFindings } from '#store/devices/reclaims.ts';
import { verifyCertificate, type CertificateKey } from '#sdk/v2.ts';
import type { Reclaim } from '#sdk/operator.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { operatorResult } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { findingsWith, quarantineServer } from '#test/support/quarantine.ts';
import { request, requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('a certificate in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    const { lab, parts } = panel.server;
    const { server, service } = lab.dedicated;
    const former = { account_id: Number(lab.customer.account) as AccountId, service_id: Number(service) };
    const started_at = parts.clock.now();
    const findings = reclaimFindings.encode(findingsWith(started_at, 'inventory'));
    const ended = { started_at, ended_at: started_at, step: null, reason: '', workflow_id: '' };
    await parts.store.transaction(async (queries) => {
      await issueCertificate(parts, queries, { id: '', server, ...former, findings, ...ended });
      // The customer gets back the server that they had before.
      await handOverCertificates(parts, queries, [{ server, service: former.service_id, account: former.account_id }]);
    });
  });

  const visitAs = async (portal: 'customer' | 'staff'): Promise<Visit> => {
    const visit = owned.use(await panel.visit());
    await visit.holdKey(portal, panel.server.lab[portal === 'customer' ? 'customer' : 'operator'].key);
    return visit;
  };

  it('is verified by the browser, and can be downloaded and verified elsewhere', async () => {
    const { page, go, accessibilityProblems } = await visitAs('customer');
    await go('/servers/1001#certificate');
    const card = page.getByRole('region', { name: 'Handover certificate' });
    await card.getByText('Verified', { exact: true }).waitFor();
    await card.getByRole('cell', { name: 'WD-WCC4N0123456' }).waitFor();
    assert.match(await card.innerText(), /anna at .* Replaced by hand/);
    assert.deepEqual(await accessibilityProblems(), []);
    const download = async (name: string): Promise<Buffer> => {
      const saved = page.waitForEvent('download');
      await card.getByRole('button', { name }).click();
      return readFile(await (await saved).path());
    };
    assert.match((await download('Download Handover certificate as PDF')).toString('latin1'), /^%PDF-/);
    const signed = (await download('Signed certificate')).toString();
    const { key } = panel.server.lab.customer;
    const verifyingKey = await requestResult<CertificateKey>(panel.server, 'GET', '/v2/device/certificate', { key });
    assert.equal((await verifyCertificate(signed, verifyingKey)).disks[0]?.serial, 'WD-WCC4N0123456');
  });

  it('that was changed on its way is not accepted', async () => {
    const { page, go } = await visitAs('customer');
    await page.route('**/v2/device/certificate/1001', async (route) => {
      // Playwright's own requests cannot reach the proxy of the browser.
      const { body } = await request(panel.server, 'GET', new URL(route.request().url()).pathname, {
        key: panel.server.lab.customer.key,
      });
      const text = JSON.stringify(body).replaceAll(/"signed":"([\w-]+)\.e/g, '"signed":"$1.f');
      await route.fulfill({ contentType: 'application/json', body: text });
    });
    await go('/servers/1001#certificate');
    const card = page.getByRole('region', { name: 'Handover certificate' });
    await card.getByText('Verification failed').waitFor();
    assert.equal(await card.getByText('Verified', { exact: true }).count(), 0);
  });

  it('of a terminated service is all that is left of its server', async () => {
    const { queries } = panel.server.parts.store;
    await queries
      .updateTable('services')
      .set({ status: 'Terminated', server: null })
      .where('id', '=', Number(panel.server.lab.dedicated.service))
      .execute();
    const { page, go } = await visitAs('customer');
    await go('/servers/1001');
    const card = page.getByRole('region', { name: 'Erasure certificate' });
    await card.getByText('Verified', { exact: true }).waitFor();
    assert.match(await card.innerText(), /erased after your service ended/);
    assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Certificate', 'Events']);
  });

  it('is preceded by quarantine, where staff retry a step or sign it off with a reason', async () => {
    const { parts } = panel.server;
    const quarantine = () => quarantineServer(parts, parts.store.queries);
    const [retried, signedOff] = [await quarantine(), await quarantine()];
    const { page, go, accessibilityProblems } = await visitAs('staff');
    await go('/staff');
    const section = page.getByRole('region', { name: 'In quarantine' }).first();
    await section.getByRole('button', { name: `Retry ${retried}` }).click();
    await page.getByText(`Retrying ${retried}`).waitFor();
    await section.getByRole('link', { name: retried }).waitFor({ state: 'detached' });

    await section.getByRole('button', { name: `Sign off ${signedOff}` }).click();
    const dialog = page.getByRole('dialog', { name: `Sign off ${signedOff}?` });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The disks were shredded');
    const confirm = dialog.getByRole('button', { name: 'Sign off' });
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
    assert.deepEqual(await accessibilityProblems(), []);
    await dialog.getByRole('textbox', { name: `Type ${signedOff} to confirm` }).fill(signedOff);
    await confirm.click();
    await dialog.waitFor({ state: 'hidden' });
    const reclaims = await operatorResult<Reclaim[]>(panel.server, 'GET', 'reclaim');
    const states = reclaims.map(({ server, state, steps }) => [server, state, steps[3]!.state]);
    assert.deepEqual(states, [
      [retried, 'reclaiming', 'open'],
      [signedOff, 'reclaiming', 'signedoff'],
    ]);
  });
});
