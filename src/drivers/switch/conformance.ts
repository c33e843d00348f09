// What every switch driver must do, told as tests that any of them can be run through. The witness is Debian's snmpget and
// snmpset: not what the driver says it did, but what another program finds at the switch.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Fault } from '#kernel/fault.ts';
import type { PortState, Switch } from './driver.ts';

/** Where the witness finds the switch. */
export interface Witness {
  readonly address: string;
  readonly port: number;
  /** It may write. */
  readonly community: string;
}

export type Access = 'full' | 'read only' | 'wrong secret' | 'nobody there';

export interface Candidate extends AsyncDisposable {
  /** Waits no longer than a second where nobody answers. */
  open(access: Access): Promise<Switch>;
  readonly witness: Witness;
  /** A port that has a link and may lose it. */
  readonly expected: Omit<PortState, 'adminStatus' | 'operStatus'>;
}

const IF_TABLE = '.1.3.6.1.2.1.2.2.1';
const IF_X_TABLE = '.1.3.6.1.2.1.31.1.1.1';
const STATUS_NUMBERS = { up: '1', down: '2', unknown: '4' } as const;
const OPER_TIMEOUT_MS = 20_000;

/** The value as snmpget prints it, without its quotes. */
export async function snmpget(witness: Witness, oid: string): Promise<string> {
  return run('snmpget', witness, oid);
}

export async function snmpsetAdmin(witness: Witness, ifIndex: number, status: 'up' | 'down'): Promise<void> {
  await run('snmpset', witness, `${IF_TABLE}.7.${ifIndex}`, 'i', STATUS_NUMBERS[status]);
}

async function run(program: string, { address, port, community }: Witness, ...args: string[]): Promise<string> {
  const place = ['-v2c', '-c', community, '-t', '5', '-Oqvn', `${address}:${port}`];
  const { stdout } = await promisify(execFile)(program, [...place, ...args], { env: { ...process.env, MIBS: '' } });
  return stdout.trim().replace(/^"|"$/g, '');
}

export function describeSwitchDriver(title: string, options: { skip?: string }, start: () => Promise<Candidate>): void {
  // One after the other, also where several suites run at once: they share a port.
  describe(title, { ...options, concurrency: 1 }, () => {
    let candidate: Candidate;
    let device: Switch;
    const deadline = () => AbortSignal.timeout(60_000);
    before(async () => {
      candidate = await start();
      device = await candidate.open('full');
    });
    after(async () => {
      await device?.[Symbol.asyncDispose]();
      await candidate?.[Symbol.asyncDispose]();
    });

    it('describes a port as the switch does', async () => {
      const { ifIndex, name, alias, speedBitsPerSecond } = candidate.expected;
      const ports = await device.ports(deadline());
      const port = ports.find((port) => port.ifIndex === ifIndex);
      assert.deepEqual(port, { ifIndex, name, alias, adminStatus: 'up', operStatus: 'up', speedBitsPerSecond });
      assert.deepEqual(await device.port(ifIndex, deadline()), port);
      assert.equal(await snmpget(candidate.witness, `${IF_X_TABLE}.1.${ifIndex}`), name);
      assert.equal(await snmpget(candidate.witness, `${IF_X_TABLE}.18.${ifIndex}`), alias);
    });

    it('counts in 64 bits what snmpget counts, on every port', async () => {
      const { witness, expected } = candidate;
      const oid = `${IF_X_TABLE}.6.${expected.ifIndex}`;
      const before = BigInt(await snmpget(witness, oid));
      const { counterBits, upTimeTicks, ports } = await device.counters(deadline());
      const after = BigInt(await snmpget(witness, oid));
      const { inOctets } = ports.find(({ ifIndex }) => ifIndex === expected.ifIndex)!;
      assert.ok(before <= inOctets && inOctets <= after, `${before} ${inOctets} ${after}`);
      assert.equal(counterBits, 64);
      assert.ok(upTimeTicks > 0);
      const states = await device.ports(deadline());
      assert.deepEqual(
        ports.map(({ ifIndex }) => ifIndex),
        states.map(({ ifIndex }) => ifIndex),
      );
    });

    it('switches a port off and on, once and again, as the witness confirms', async () => {
      const { witness, expected } = candidate;
      for (const status of ['down', 'down', 'up', 'up'] as const) {
        const state = await device.setAdmin(expected.ifIndex, status, deadline());
        assert.equal(state.adminStatus, status);
        assert.equal(await snmpget(witness, `${IF_TABLE}.7.${expected.ifIndex}`), STATUS_NUMBERS[status]);
        await untilOperStatus(device, expected.ifIndex, status);
        assert.equal(await snmpget(witness, `${IF_TABLE}.8.${expected.ifIndex}`), STATUS_NUMBERS[status]);
      }
    });

    it('sees what another program changed', async () => {
      const { witness, expected } = candidate;
      for (const status of ['down', 'up'] as const) {
        await snmpsetAdmin(witness, expected.ifIndex, status);
        await untilOperStatus(device, expected.ifIndex, status);
        assert.equal((await device.port(expected.ifIndex, deadline())).adminStatus, status);
      }
    });

    it('says that a port is not there, and does not invent one', async () => {
      for (const work of [device.port(9999, deadline()), device.setAdmin(9999, 'down', deadline())])
        assert.equal((await faultIn(work)).code, 'switch_error');
    });

    it('reports a refusal, and the port stays as it was', async () => {
      await using reader = await candidate.open('read only');
      assert.equal((await reader.port(candidate.expected.ifIndex, deadline())).adminStatus, 'up');
      const { code } = await faultIn(reader.setAdmin(candidate.expected.ifIndex, 'down', deadline()));
      assert.equal(code, 'switch_error');
      assert.equal((await device.port(candidate.expected.ifIndex, deadline())).adminStatus, 'up');
    });

    it('tells a switch that does not answer from a port that is down', async () => {
      await using nobody = await candidate.open('nobody there');
      const { ifIndex } = candidate.expected;
      const works = [nobody.port(ifIndex, deadline()), nobody.ports(deadline()), nobody.counters(deadline())];
      for (const fault of await Promise.all([...works, nobody.setAdmin(ifIndex, 'up', deadline())].map(faultIn)))
        assert.equal(fault.code, 'switch_unreachable');
    });

    it('waits no longer than its caller', async () => {
      await using nobody = await candidate.open('nobody there');
      assert.equal((await faultIn(nobody.ports(AbortSignal.timeout(20)))).code, 'switch_unreachable');
      const reason = new DOMException('the caller went away', 'AbortError');
      await assert.rejects(nobody.ports(AbortSignal.abort(reason)), reason);
    });

    it('does not get in with a wrong secret, nor tells it to anyone', async () => {
      await using stranger = await candidate.open('wrong secret');
      const fault = await faultIn(stranger.ports(deadline()));
      assert.match(fault.code, /^switch_(unreachable|error)$/);
      assert.doesNotMatch(`${fault.message} ${fault.internal} ${String(fault.cause)}`, /not-the-secret/);
    });
  });
}

async function faultIn(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Fault, `a fault was expected, not ${String(outcome)}`);
  return outcome;
}

/** The link follows its port in its own time. */
async function untilOperStatus(device: Switch, ifIndex: number, status: 'up' | 'down'): Promise<void> {
  const giveUp = AbortSignal.timeout(OPER_TIMEOUT_MS);
  while ((await device.port(ifIndex, giveUp)).operStatus !== status) await sleep(50);
}
