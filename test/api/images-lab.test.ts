// An ISO image in the lab, mounted as a newcomer's script would, across a crash of the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';

test('an image stays mounted when the server is killed', async () => {
  await using server = await startServer();
  const { key } = server.lab.customer;
  const form = { server: 'dc01r01ds02-01' };
  const image = (action: string, more: Record<string, string> = {}) =>
    request<{ result: unknown }>(server, 'POST', '/ipmi/image', { key, form: { ...form, action, ...more } });
  const results = async (...responses: ReturnType<typeof image>[]) =>
    (await Promise.all(responses)).map(({ body }) => body.result);

  assert.deepEqual(await results(image('setImage', { image: 'OS-F526.iso' })), ['Image Set']);
  assert.deepEqual(await results(image('mountImage')), ['Image Mounted']);
  await server.kill('SIGKILL');
  await server.restart();
  assert.deepEqual(await results(image('status')), [{ image: 'OS-F526.iso', mounted: '1' }]);
  assert.deepEqual(await results(image('unmountImage')), ['Image Unmounted']);
  assert.deepEqual(await results(image('status')), [{ image: 'OS-F526.iso', mounted: '0' }]);
});
