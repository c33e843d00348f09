import { readFileSync, writeFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeRouteDriver } from './conformance.ts';
import { fileRouteDriver } from './file.ts';

const noSignal = new AbortController().signal;

describeRouteDriver('routes in a file', {}, async () => {
  const folder = await temporaryFolder('routes');
  const path = join(folder.path, 'routes');
  return {
    open: () => fileRouteDriver.open({ path }),
    visibleRoutes: async () => readFileSync(path, 'utf8').split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test('a file that cannot be written is a router error without the path', async () => {
  const announcer = await fileRouteDriver.open({ path: '/nowhere/at/all' });
  const message = /^(?!.*nowhere)/;
  await assert.rejects(announcer.announce([{ prefix: '203.0.113.66/32', nextHop: undefined }], noSignal), {
    code: 'router_error',
    message,
  });
});

test('an invalid line in the file is named for the operator', async () => {
  await using folder = await temporaryFolder('routes');
  const path = join(folder.path, 'routes');
  writeFileSync(path, '203.0.113.66/32\n203.0.113.67/32 metric 5\n');
  const announcer = await fileRouteDriver.open({ path });
  await assert.rejects(announcer.list(noSignal), {
    code: 'router_error',
    internal: 'routes file: remove the invalid line “203.0.113.67/32 metric 5”',
  });
});
