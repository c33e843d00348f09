// A creation on a hypervisor that accepts the request and never answers it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { ApiError } from '#lib/api-error.ts';
import type { LabHypervisorMalfunctions } from '#lab/hypervisor/malfunctions.ts';
import { orderOn, startGround } from '#test/support/machine-fixtures.ts';
import { until } from '#test/support/until.ts';
import { runToEnd } from '../engine/harness.ts';
import { machineCreate } from './machine-create.ts';

/** Runs a creation that hangs, while the hypervisor has each of the malfunctions for one look. Returns how it ended. */
async function createWhile({ mock }: TestContext, malfunctions: readonly LabHypervisorMalfunctions[]) {
  await using ground = await startGround();
  const { hypervisors } = ground.deps;
  mock.timers.enable({ apis: ['setInterval'] });
  let looks = 0;
  const measure: Hypervisors['measure'] = (...args) => hypervisors.measure(...args).finally(() => looks++);
  const hang = async (signal: AbortSignal): Promise<void> => {
    for (const [index, malfunction] of malfunctions.entries()) {
      ground.node.setMalfunctions(malfunction);
      mock.timers.tick(30_000);
      await until(() => looks > index);
    }
    ground.node.setMalfunctions({});
    // The abort follows the last look at once. Otherwise the creation ends.
    await Promise.race([once(signal, 'abort'), new Promise((resolve) => void setImmediate(resolve))]);
    if (signal.aborted) throw new ApiError('node_unreachable', { cause: signal.reason });
  };
  const use: Hypervisors['use'] = (node, work, revision) =>
    hypervisors.use(
      node,
      (hypervisor, waits) => {
        const { create } = hypervisor.machines;
        const slow: typeof create = async (name, shape, system, signal) => {
          await hang(signal);
          return create(name, shape, system, signal);
        };
        return work({ ...hypervisor, machines: { ...hypervisor.machines, create: slow } }, waits);
      },
      revision,
    );
  const order = await orderOn({ ...ground, deps: { ...ground.deps, hypervisors: { ...hypervisors, use, measure } } });
  const { status, error_code } = await runToEnd(machineCreate, order, {});
  return { status, error_code, machines: [...ground.node.machines.keys()], looks };
}

test('a creation ends when its hypervisor did not respond to two other calls in a row', async (context) => {
  const ended = await createWhile(context, [{}, { isDown: true }, { isDown: true }]);
  assert.deepEqual(ended, { status: 'Failed', error_code: 'node_unreachable', machines: [], looks: 3 });
});

test('a creation goes on while its hypervisor responds, even with an error, or misses a single call', async (context) => {
  const answers = [{}, { isDown: true }, {}, { isDown: true }, { sendsGarbage: true }, { isDown: true }];
  const ended = await createWhile(context, answers);
  assert.deepEqual(ended, { status: 'Completed', error_code: null, machines: ['vm-101'], looks: 6 });
});
