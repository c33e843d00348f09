// The SDK as its users get it: packed, installed, its README followed literally with the machine's oldest Node, and
// loaded in a browser.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { launchChromium, needsChromium } from '#test/support/chromium.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { oldestNode } from '#test/support/oldest-node.ts';
import { packFolder } from '../../scripts/npm-pack.ts';
import { buildSdk } from '../../scripts/sdk-package.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const deadlineMs = 120_000;

describe('the package @hostyard/sdk', () => {
  const owned = suiteResources();
  let app: TestApp;
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let installed: string;
  before(async () => {
    home = owned.use(await temporaryFolder('sdk'));
    const built = join(home.path, 'built');
    await buildSdk(built);
    const packed = packFolder(built, home.path);
    // An empty folder with nothing but the package.
    const consumer = join(home.path, 'consumer');
    await mkdir(consumer);
    const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(home.path, 'cache')];
    const { status, stderr } = spawnSync('npm', ['install', ...options, packed], { cwd: consumer, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    installed = join(consumer, 'node_modules', '@hostyard', 'sdk');
    app = owned.use(await openTestApp({ worksOffJobs: true }));
  });

  test('needs no other package', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.equal(manifest['dependencies'], undefined);
    assert.equal(manifest['name'], '@hostyard/sdk');
  });

  test('does what its README shows', async () => {
    const [, example] = /```js\n([^]*?)```/.exec(await readFile(join(installed, 'README.md'), 'utf8'))!;
    const file = join(home.path, 'consumer', 'example.mjs');
    await writeFile(file, example!);
    const child = spawn(oldestNode(), [file], {
      env: { PATH: process.env['PATH'], HOSTYARD_URL: app.url, HOSTYARD_KEY: app.lab.customer.key },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: deadlineMs,
    });
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(complaints, '');
    const lines = printed.trim().split('\n');
    assert.match(lines[0]!, / on$/);
    assert.equal(lines[1], 'v2.devicePowerSet Completed');
    assert.match(lines[2]!, / v2\.devicePowerSet success$/);
    assert.equal(lines.at(-1), '404 not_found');
  });

  test('works in a browser, where a file is its bytes too', needsChromium(), async () => {
    await using owned = new AsyncDisposableStack();
    const browser = await launchChromium();
    owned.defer(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(deadlineMs);
    // A page of the API's own origin, from which the package is served.
    await page.route('**/page/**', async (route) => {
      const path = new URL(route.request().url()).pathname.slice('/page/'.length);
      const script = path.endsWith('.js');
      const body = script ? await readFile(join(installed, 'dist', path), 'utf8') : '<!doctype html><title>SDK</title>';
      await route.fulfill({ body, contentType: script ? 'text/javascript' : 'text/html' });
    });
    await page.goto(`${app.url}/page/`);
    const result = await page.evaluate(`(async () => {
      const { createClient, HostyardError } = await import('/page/v2.js');
      const client = createClient({ url: location.origin, key: ${JSON.stringify(app.lab.customer.key)} });
      const { id } = await client.accountGet();
      const zone = await client.zoneCreate({ domain: 'browser.example.com' });
      const types = [];
      for await (const event of client.events({ type: ['dns.zone.created'] })) {
        types.push(event.type);
        break;
      }
      const [invoice] = await client.invoiceGet({ status: 'Paid' });
      const { type, name, bytes } = await client.invoicePdf({ invoice: invoice.id });
      const file = [type, name.endsWith('.pdf'), new TextDecoder().decode(bytes.subarray(0, 5))];
      const refused = await client.zoneCreate({ domain: 'browser.example.com' }).catch((error) => error);
      return [id, /^[0-9]+$/.test(zone), types, file, refused instanceof HostyardError && refused.code];
    })()`);
    const file = ['application/pdf', true, '%PDF-'];
    assert.deepEqual(result, [app.lab.customer.account, true, ['dns.zone.created'], file, 'already_exists']);
  });
});
