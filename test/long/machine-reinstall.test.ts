// kill -9 in the middle of a reinstall, ten times at different steps: the machine ends with the old system or the new one, it
// is the one that the account is told of, and it runs. The node is a simulator in this process, so that it outlives each.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLabNode } from '#lab/node/node.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { request } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

interface Action {
  readonly operation: string;
  readonly status: string;
  readonly ended: string;
}

/** After how many of the node's commands the process is shot, and how much later. */
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

it('a machine whose reinstall is shot at any step ends with one whole system, the old or the new', async () => {
  const timing = { bootMs: 0, buildMs: 100, softOffMs: 20 };
  await using node = await startLabNode({ token: 'secret-enough', timing });
  const { address, port } = node;
  const settings = { address, port, token: 'secret-enough' };
  const { site, key } = machineSite([{ name: 'node1', driver: 'lab', settings }], [smallMachine]);
  await using server = await startSite(site);
  const actions = async () =>
    (await request<{ result: Action[] }>(server, 'GET', '/v2/action', { key, params: { service: '2001' } })).body
      .result;
  const quiet = () => until(async () => (await actions()).every(({ ended }) => ended !== ''), { saw: actions });
  /** A process that was shot while it removed an old system holds the machine until its lease is over. */
  const reinstall = async (value: string): Promise<string> => {
    const ask = () =>
      request<{ result: string }>(server, 'POST', '/v2/device/reload', { key, params: { service: '2001', value } });
    let answer = await ask();
    const isFree = async (): Promise<boolean> => answer.status !== 409 || (answer = await ask()).status !== 409;
    await until(isFree, { saw: () => answer.body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.result;
  };
  await quiet();
  const machine = () => node.machines.get('vm-101')!;
  let password = machine().system().rootPassword;
  const outcomes: string[] = [];
  for (const [round, { commands, laterMs }] of shots.entries()) {
    const template = round % 2 === 0 ? 'ubuntu-24.04' : 'debian-12';
    // What the one before left is tidied in the background, and counts as nobody's command.
    const counted = () => node.events.filter((each) => !each.startsWith('tidy')).length;
    const old = machine().state.current;
    const before = counted();
    const newPassword = await reinstall(template);
    for (;;) {
      if (counted() - before >= commands) break;
      const [last] = await actions();
      if (last?.ended !== '') break;
      await sleep(1);
    }
    await sleep(laterMs);
    await server.kill('SIGKILL');
    const { current, systems, power } = machine().state;
    assert.equal(systems[current]?.isWhole, true, `no system after shot ${round}`);
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
    const shown = await request<{ result: { template: string } }>(server, 'GET', '/vps/get/101', { key });
    assert.equal(shown.body.result.template, machine().system().template);
  }
  assert.equal(outcomes.length, 10);
});
