import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getDeviceId } from './commands/device.ts';
import { IpmiError } from './error.ts';
import { deadlineIn } from './exchange.ts';
import { secretKey, sessionKeys } from './keys.ts';
import { Session } from './session.ts';
import { cipherSuites } from './suite.ts';

const unlimitedMs = 3_600_000;

function openSilentSession() {
  let sent = 0;
  const session = new Session({
    peer: { suites: undefined, needsOwnPorts: false, send: () => void sent++, receive: () => () => {} },
    pace: { retransmitMs: unlimitedMs, attempts: 1 },
    consoleSessionId: 1,
    bmcSessionId: 2,
    keys: sessionKeys(cipherSuites[0]!, secretKey('a secret')),
  });
  return { session, sent: () => sent };
}

describe('a session', () => {
  it('that ends fails its request at once', async () => {
    const { session } = openSilentSession();
    const request = session.request(getDeviceId, null, deadlineIn(unlimitedMs, undefined));
    session.end();
    await assert.rejects(request, (error) => error instanceof IpmiError && error.kind === 'timeout');
  });

  it('sends a request only when the one before has ended', async () => {
    const { session, sent } = openSilentSession();
    const controller = new AbortController();
    const first = session.request(getDeviceId, null, deadlineIn(unlimitedMs, controller.signal));
    const second = session.request(getDeviceId, null, deadlineIn(unlimitedMs, undefined));
    second.catch(() => {});
    assert.equal(sent(), 1);
    controller.abort();
    await assert.rejects(first);
    await new Promise(setImmediate);
    assert.equal(sent(), 2);
    session.end();
    await assert.rejects(second);
  });
});
