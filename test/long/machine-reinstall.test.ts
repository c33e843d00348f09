// kill -9 in the middle of a reinstall, ten times at different steps: the machine ends with the old or the new system,
// as reported to the account, and runs. The hypervisor is a simulator in the test process, so that it survives.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import type { Action } from '#sdk/v2.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

/** Number of hypervisor commands before the kill, and the delay after them. */
const shots = [
  { commands: 0, laterMs: 0 },
  { commands: 0, laterMs: 60 },
  { commands: 1, laterMs: 0 },
  { commands: 2, laterMs: 0 },
  { commands: 2, laterMs: 40 },
  { commands: 3, laterMs: 0 },
  { commands: 4, laterMs: 0 },
  { commands: 5, laterMs: 0 },
  { commands: 5, laterMs: 30 },
  { commands: 6, laterMs: 0 },
];

it('a machine whose reinstall is killed at any step ends with one complete system, the old or the new', async () => {
  const timing = { bootMs: 0, buildMs: 100, softOffMs: 20 };
  await using node = await startLabHypervisor({ token: 'secret-enough', timing });
  const { address, port } = node;
  const settings = { address, port, token: 'secret-enough' };
  const { site, key } = machineSite([{ name: 'node1', driver: 'lab', settings }], [smallMachine]);
  await using server = await startSite(site);
  const actions = async () =>
    requestResult<Action[]>(server, 'GET', '/v2/action', { key, params: { service: '2001' } });
  const quiet = () => until(async () => (await actions()).every(({ ended }) => ended !== ''), { saw: actions });
  /** A process killed while removing an old system holds the machine until its lease expires. */
  const reinstall = async (value: string): Promise<string> => {
    const send = () =>
      request<{ result: string }>(server, 'POST', '/v2/device/reload', { key, params: { service: '2001', value } });
    let response = await send();
    const isFree = async (): Promise<boolean> => response.status !== 409 || (response = await send()).status !== 409;
    await until(isFree, { saw: () => response.body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.result;
  };
  // The server creates the machine after it has started.
  await until(() => node.machines.get('vm-101')?.state.power === 'on');
  await quiet();
  const machine = () => node.machines.get('vm-101')!;
  let password = machine().system().rootPassword;
  const outcomes: string[] = [];
  for (const [round, { commands, laterMs }] of shots.entries()) {
    const template = round % 2 === 0 ? 'ubuntu-24.04' : 'debian-12';
    // Clean-up after the previous round runs in the background and does not count.
    const counted = () => node.events.filter((event) => !event.startsWith('tidy')).length;
    const old = machine().state.current;
    const before = counted();
    const newPassword = await reinstall(template);
    const isDue = async () => counted() - before >= commands || (await actions())[0]?.ended !== '';
    await until(isDue, { saw: actions, pollMs: 1 });
    await sleep(laterMs);
    await server.kill('SIGKILL');
    const { current, systems, power } = machine().state;
    assert.equal(systems[current]?.isWhole, true, `no system after kill ${round}`);
    assert.ok(power === 'on' || power === 'off');
    await server.start();
    await quiet();
    const [last] = await actions();
    outcomes.push(last!.status);
    const isNew = last!.status === 'Completed';
    assert.equal(machine().state.current === old, !isNew, `${last!.status} in round ${round}`);
    if (isNew) password = newPassword;
    assert.equal(machine().system().isWhole, true);
    assert.equal(machine().system().rootPassword, password);
    assert.equal(machine().state.power, 'on');
    const details = await requestResult<{ template: string }>(server, 'GET', '/vps/get/101', { key });
    assert.equal(details.template, machine().system().template);
  }
  assert.equal(outcomes.length, 10);
});
