// A creation or a reinstall on a hypervisor that accepts the request and never answers it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { ApiError } from '#lib/api-error.ts';
import type { LabHypervisorMalfunctions } from '#lab/hypervisor/malfunctions.ts';
import {
  inspectMachine,
  orderOn,
  reinstallOn,
  startGround,
  startMachine,
  type MachineFixture,
} from '#test/support/machine-fixtures.ts';
import { until } from '#test/support/until.ts';
import { runToEnd } from '../engine/harness.ts';
import { machineCreate } from './machine-create.ts';
import { machineReinstall } from './machine-reinstall.ts';

const create = async (ground: MachineFixture) => runToEnd(machineCreate, await orderOn(ground), {});
const reinstall = async (ground: MachineFixture) => runToEnd(machineReinstall, await reinstallOn(ground), {});

/** Runs a workflow whose build hangs, while the hypervisor has each of the malfunctions for one look. Returns how it ended. */
async function runWhile(
  { mock }: TestContext,
  malfunctions: readonly LabHypervisorMalfunctions[],
  start = startGround,
  run = create,
) {
  await using ground = await start();
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
        const machines: typeof hypervisor.machines = {
          ...hypervisor.machines,
          create: async (...args) => (await hang(args[3]), hypervisor.machines.create(...args)),
        };
        const systems: typeof hypervisor.systems = {
          ...hypervisor.systems,
          build: async (...args) => (await hang(args[2]), hypervisor.systems.build(...args)),
        };
        return work({ ...hypervisor, machines, systems }, waits);
      },
      revision,
    );
  const watched = { ...ground, deps: { ...ground.deps, hypervisors: { ...hypervisors, use, measure } } };
  const { status, error_code } = await run(watched);
  return { status, error_code, system: (await inspectMachine(ground)).system, looks };
}

test('a creation ends when its hypervisor did not respond to two other calls in a row', async (context) => {
  const ended = await runWhile(context, [{}, { isDown: true }, { isDown: true }]);
  assert.deepEqual(ended, { status: 'Failed', error_code: 'node_unreachable', system: undefined, looks: 3 });
});

test('a creation goes on while its hypervisor responds, even with an error, or misses a single call', async (context) => {
  const answers = [{}, { isDown: true }, {}, { isDown: true }, { sendsGarbage: true }, { isDown: true }];
  const ended = await runWhile(context, answers);
  assert.deepEqual(ended, { status: 'Completed', error_code: null, system: 'new', looks: 6 });
});

test('a reinstall ends like that too, and the machine keeps its system', async (context) => {
  const ended = await runWhile(context, [{ isDown: true }, { isDown: true }], startMachine, reinstall);
  assert.deepEqual(ended, { status: 'Failed', error_code: 'node_unreachable', system: 'old', looks: 2 });
});
