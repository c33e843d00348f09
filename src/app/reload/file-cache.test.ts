// The provider's files: local, downloaded, and wrong ones.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { fileCache, FileUnusable, findSoon } from './file-cache.ts';

const content = 'a kernel, say';
const sha256 = hash('sha256', content);

async function startMirror() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    if (request.url === '/kernel') response.end(content);
    else if (request.url === '/moved') response.writeHead(302, { location: '/kernel' }).end();
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': content.length }).write('a ker', () => response.destroy());
    else if (request.url === '/endless') response.writeHead(200).write('a ker');
    else response.writeHead(404).end('no such file');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a file of the provider', () => {
  it('on this machine is found with its digest, also after it changed', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'kernel');
    const cache = fileCache(join(folder.path, 'cache'));
    await writeFile(file, content);
    assert.deepEqual(await cache.find({ file }), { path: file, sizeBytes: content.length, sha256 });
    await writeFile(file, `${content} and more`);
    assert.equal((await cache.find({ file })).sha256, hash('sha256', `${content} and more`));
    await assert.rejects(cache.find({ file, sha256 }), FileUnusable);
    await rm(file);
    await assert.rejects(cache.find({ file }), FileUnusable);
  });

  it('elsewhere is downloaded once for concurrent requests, and stored', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const cache = fileCache(folder.path);
    const source = { url: `${mirror.url}/kernel`, sha256 };
    const files = await Promise.all([cache.find(source), cache.find(source), cache.find(source)]);
    assert.equal(await readFile(files[2].path, 'utf8'), content);
    await fileCache(folder.path).find(source);
    assert.equal(mirror.requests(), 1);
  });

  it('is waited for as long as a caller waits, not counting the time in which the process was paused', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const cache = fileCache(join(folder.path, 'cache'));
    const file = join(folder.path, 'kernel');
    await writeFile(file, content);
    const waitMs = 1000;
    const finding = findSoon(cache, [{ file }, { file, sha256 }], waitMs);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * waitMs);
    assert.deepEqual(
      (await finding)?.map(({ path }) => path),
      [file, file],
    );
    assert.equal(await findSoon(cache, [{ file }, { url: `${mirror.url}/endless`, sha256 }], waitMs), undefined);
    await assert.rejects(findSoon(cache, [{ file: `${file}.old` }], waitMs), FileUnusable);
  });

  it('is ready once it exists and its digest, if it has one, was verified', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const cache = fileCache(join(folder.path, 'cache'));
    const file = join(folder.path, 'kernel');
    const remote = { url: `${mirror.url}/kernel`, sha256 };
    for (const source of [{ file }, { file, sha256 }, remote, {}]) assert.equal(await cache.isReady(source), false);
    await writeFile(file, content);
    assert.equal(await cache.isReady({ file }), true);
    for (const source of [{ file, sha256 }, remote]) {
      assert.equal(await cache.isReady(source), false, 'not verified yet');
      await cache.find(source);
      assert.equal(await cache.isReady(source), true);
    }
    assert.equal(await cache.isReady({ file, sha256: hash('sha256', 'another') }), false);
    await writeFile(file, `${content} and more`);
    assert.equal(await cache.isReady({ file, sha256 }), false, 'changed since');
    assert.equal(mirror.requests(), 1);
  });

  it('that is missing or has the wrong digest is neither used nor stored', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const cache = fileCache(folder.path);
    const wrong = hash('sha256', 'another');
    await assert.rejects(cache.find({ url: `${mirror.url}/kernel`, sha256: wrong }), FileUnusable);
    await assert.rejects(cache.find({ url: `${mirror.url}/absent`, sha256 }), FileUnusable);
    await assert.rejects(cache.find({ url: 'http://127.0.0.1:1/closed', sha256 }), FileUnusable);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('is found behind a redirect, and not used if the response is truncated or too large', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const source = (path: string) => ({ url: `${mirror.url}/${path}`, sha256 });
    const short = fileCache(folder.path, content.length - 1);
    await assert.rejects(short.find(source('kernel')), /larger than/);
    const cache = fileCache(folder.path);
    await assert.rejects(cache.find(source('cut')), FileUnusable);
    assert.deepEqual(await readdir(folder.path), []);
    assert.equal((await cache.find(source('moved'))).sizeBytes, content.length);
  });

  it('can be downloaded by two processes at once, and old partial downloads are removed', async () => {
    await using folder = await temporaryFolder();
    await using mirror = await startMirror();
    const [abandoned, recent] = [join(folder.path, `${sha256}.0a0a0a0a`), join(folder.path, `${sha256}.0b0b0b0b`)];
    for (const draft of [abandoned, recent]) await writeFile(draft, 'a ker');
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    await utimes(abandoned, longAgo, longAgo);
    const source = { url: `${mirror.url}/kernel`, sha256 };
    const files = await Promise.all([fileCache(folder.path).find(source), fileCache(folder.path).find(source)]);
    for (const { path } of files) assert.equal(await readFile(path, 'utf8'), content);
    assert.deepEqual((await readdir(folder.path)).toSorted(), [sha256, `${sha256}.0b0b0b0b`]);
  });
});
