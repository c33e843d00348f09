// The panel as it is served: a page for every address, files that may be kept for ever, a policy that lets in nothing from
// elsewhere, and a first view that is small.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const built = join(import.meta.dirname, '..', '..', 'out', 'panel');
/** Brotli, all that the first page needs. */
const firstViewBytes = 250 * 1024;

describe('the panel', () => {
  let yard: TestYard;
  before(async () => {
    yard = await openTestYard();
  });
  after(() => yard[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${yard.url}${path}`, { headers, redirect: 'manual' });
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const assets = [...page.matchAll(/(?:src|href)="\/panel\/(assets\/[^"]+)"/g)].map((match) => match[1]!);

  it('is where the root leads', async () => {
    const answer = await get('/');
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), '/panel');
  });

  it('answers every address below it with its page, which is asked for anew each time', async () => {
    for (const path of ['/panel', '/panel/', '/panel/servers/1001', '/panel/dns/7?tab=history', '/panel/index.html']) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('content-type')!, /^text\/html/);
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(await answer.text(), page);
    }
  });

  it('lets nothing in from elsewhere: no script but its own files, no frame, no other origin', async () => {
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

  it('sends its files compressed as the browser can, to be kept for ever', async () => {
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

  it('knows no file that is not its own', async () => {
    for (const path of [
      '/panel/assets/none.js',
      '/panel/assets/../../package.json',
      '/panel/assets/%2e%2e%2findex.html',
    ]) {
      const answer = await get(path);
      const text = await answer.text();
      assert.ok(answer.status === 404 || text === page, `${path}: ${answer.status}`);
      assert.doesNotMatch(text, /"dependencies"/);
    }
  });

  it('has a first view of less than 250 KB', () => {
    const overview = globSync('assets/overview-*.{js,css}', { cwd: built });
    const bytes = [...assets, ...overview].map((asset) => statSync(join(built, `${asset}.br`)).size);
    assert.ok(Math.max(...bytes) > 0);
    const whole = bytes.reduce((sum, one) => sum + one, 0);
    assert.ok(whole < firstViewBytes, `${whole} bytes`);
  });
});
