import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import type { Domain } from '#protocols/libvirt/procedures.ts';
import { createGuest, runWhileFrozen } from './agent.ts';
import type { Session } from './session.ts';

const dom: Domain = { name: 'vm-1', uuid: Buffer.alloc(16), id: 1 };

/** An agent that fails these commands, as libvirt reports one that does not respond in time. */
function startAgent(failing: readonly string[]) {
  const commands: string[] = [];
  const call = async (_procedure: unknown, { command }: { command: string }) => {
    const { execute } = JSON.parse(command) as { execute: string };
    commands.push(execute);
    if (failing.includes(execute)) throw new ApiError('state_conflict');
    return { result: '{"return":1}' };
  };
  const work = async () => void commands.push('work');
  return { session: { call } as unknown as Session, commands, work };
}

describe('freezing a guest', () => {
  it('runs the work between freeze and thaw', async () => {
    const { session, commands, work } = startAgent([]);
    assert.equal(await runWhileFrozen(session, dom, work), true);
    assert.deepEqual(commands, ['guest-ping', 'guest-fsfreeze-freeze', 'work', 'guest-fsfreeze-thaw']);
  });

  it('runs the work without an agent, and sends it nothing', async () => {
    const { session, commands, work } = startAgent(['guest-ping']);
    assert.equal(await runWhileFrozen(session, dom, work), false);
    assert.deepEqual(commands, ['guest-ping', 'work']);
  });

  it('thaws after a freeze that did not respond, because it may have happened', async () => {
    const { session, commands, work } = startAgent(['guest-fsfreeze-freeze']);
    assert.equal(await runWhileFrozen(session, dom, work), false);
    assert.deepEqual(commands.slice(-2), ['work', 'guest-fsfreeze-thaw']);
  });

  it('thaws after work that failed', async () => {
    const { session, commands } = startAgent([]);
    await assert.rejects(
      runWhileFrozen(session, dom, () => Promise.reject(new Error('no copy'))),
      /no copy/,
    );
    assert.equal(commands.at(-1), 'guest-fsfreeze-thaw');
  });

  it('repeats a thaw that failed, and gives up in the end', async () => {
    const { session, commands, work } = startAgent(['guest-fsfreeze-thaw']);
    assert.equal(await runWhileFrozen(session, dom, work), true);
    assert.equal(commands.filter((command) => command === 'guest-fsfreeze-thaw').length, 3);
  });
});

describe('a command for the agent of a guest', () => {
  const guestOf = (
    call: (args: { command: string; timeoutSeconds: number }, signal: AbortSignal) => Promise<string>,
  ) => {
    const session = {
      runningDomain: async () => dom,
      call: async (_: unknown, args: { command: string; timeoutSeconds: number }, signal: AbortSignal) => ({
        result: await call(args, signal),
      }),
    };
    return createGuest(session as unknown as Session);
  };

  it('sets the password within a time that libvirt enforces', async () => {
    const calls: unknown[] = [];
    const guest = guestOf(async ({ command, timeoutSeconds }) => {
      calls.push([JSON.parse(command), timeoutSeconds]);
      return '{"return":{}}';
    });
    await guest.setPassword('vm-1', 'secret', AbortSignal.timeout(8000));
    const user = { username: 'root', password: Buffer.from('secret').toString('base64'), crypted: false };
    assert.deepEqual(calls, [[{ execute: 'guest-set-user-password', arguments: user }, 5]]);
  });

  it('that never ends is a conflict, and no error of the hypervisor', async () => {
    const guest = guestOf(async ({ command }) =>
      command.includes('guest-exec-status') ? '{"return":{"exited":false}}' : '{"return":{"pid":7}}',
    );
    const silent = guestOf((_, signal) => {
      const { promise, reject } = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => reject(new ApiError('node_unreachable')));
      return promise;
    });
    for (const hostile of [guest, silent])
      await assert.rejects(hostile.setHostname('vm-1', 'a.example.com', AbortSignal.timeout(300)), {
        code: 'state_conflict',
      });
  });
});
