// The panel's pages and files: a page for every address, files that can be cached forever, a strict
// Content-Security-Policy, and a small first view.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const built = join(import.meta.dirname, '..', '..', 'out', 'panel');
/** Brotli, everything that the first page needs. */
const firstViewBytes = 250 * 1024;

describe('the panel', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${app.url}${path}`, { headers, redirect: 'manual' });
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const assets = [...page.matchAll(/(?:src|href)="\/panel\/(assets\/[^"]+)"/g)].map((match) => match[1]!);

  it('is where the root redirects to', async () => {
    const response = await get('/');
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/panel');
  });

  it('serves its page for every address below it, uncached', async () => {
    for (const path of ['/panel', '/panel/', '/panel/servers/1001', '/panel/dns/7?tab=history', '/panel/index.html']) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type')!, /^text\/html/);
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      assert.equal(await response.text(), page);
    }
  });

  it('allows nothing from other origins: no foreign script, no frame', async () => {
    const { headers } = await get('/panel');
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(?:;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe-eval|\*|https?:/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\bon\w+=|https?:\/\//);
  });

  it('serves its files compressed as the browser accepts, to be cached forever', async () => {
    assert.ok(assets.length > 0);
    for (const asset of assets) {
      const plain = await get(`/panel/${asset}`, { 'accept-encoding': 'identity' });
      const small = await get(`/panel/${asset}`, { 'accept-encoding': 'br' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(small.headers.get('content-encoding'), asset.endsWith('.woff2') ? null : 'br');
      assert.match(small.headers.get('cache-control')!, /immutable/);
      assert.equal(await small.text(), await plain.text());
    }
  });

  it('serves no file that is not its own', async () => {
    for (const path of [
      '/panel/assets/none.js',
      '/panel/assets/../../package.json',
      '/panel/assets/%2e%2e%2findex.html',
    ]) {
      const response = await get(path);
      const text = await response.text();
      assert.ok(response.status === 404 || text === page, `${path}: ${response.status}`);
      assert.doesNotMatch(text, /"dependencies"/);
    }
  });

  it('has a first view of less than 250 KB', () => {
    const overview = globSync('assets/overview-*.{js,css}', { cwd: built });
    const bytes = [...assets, ...overview].map((asset) => statSync(join(built, `${asset}.br`)).size);
    assert.ok(Math.max(...bytes) > 0);
    const total = bytes.reduce((sum, size) => sum + size, 0);
    assert.ok(total < firstViewBytes, `${total} bytes`);
  });
});
