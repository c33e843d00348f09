// The lab across a crash of the server: an ISO image stays mounted, and an installation continues, as they would with
// real servers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request, requestResult } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

test('an image stays mounted and an installation continues when the server is killed', async () => {
  await using server = await startServer();
  const { key } = server.lab.customer;
  const form = { server: 'dc01r01ds02-01' };
  const image = (action: string, more: Record<string, string> = {}) =>
    request<{ result: unknown }>(server, 'POST', '/ipmi/image', { key, form: { ...form, action, ...more } });
  const results = async (...responses: ReturnType<typeof image>[]) =>
    (await Promise.all(responses)).map(({ body }) => body.result);
  const { service } = server.lab.dedicated;
  const reload = (method: string, params = {}): Promise<string> =>
    requestResult<string>(server, method, '/v2/device/reload', { key, params: { service, ...params } });
  const status = (): Promise<string> => reload('PUT');

  await reload('POST', { value: 'debian-12' });
  assert.deepEqual(await results(image('setImage', { image: 'OS-F526.iso' })), ['Image Set']);
  assert.deepEqual(await results(image('mountImage')), ['Image Mounted']);
  await until(async () => /^Installing [1-9]/.test(await status()), { saw: status });
  await server.kill('SIGKILL');
  await server.restart();
  assert.match(await status(), /^Installing [1-9]/);
  assert.deepEqual(await results(image('status')), [{ image: 'OS-F526.iso', mounted: '1' }]);
  assert.deepEqual(await results(image('unmountImage')), ['Image Unmounted']);
  assert.deepEqual(await results(image('status')), [{ image: 'OS-F526.iso', mounted: '0' }]);
  await until(async () => (await status()) === 'Completed', { saw: status });
});
