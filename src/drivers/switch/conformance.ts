// The conformance suite of all switch drivers. Results are checked with Net-SNMP's snmpget and snmpset, not by what the
// driver reports.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ApiError } from '#lib/api-error.ts';
import { PortMismatchError, type PortReference, type PortState, type Switch } from './driver.ts';

/** The switch as Net-SNMP's tools reach it. */
export interface SnmpTarget {
  readonly address: string;
  readonly port: number;
  /** Has write access. */
  readonly community: string;
}

export type Access = 'full' | 'read only' | 'wrong secret' | 'nobody there';

export interface SwitchFixture extends AsyncDisposable {
  /** The driver gives up within a second if there is no response. */
  open(access: Access): Promise<Switch>;
  readonly target: SnmpTarget;
  /** A port that is up and may go down. */
  readonly expected: Omit<PortState, 'adminStatus' | 'operStatus'>;
}

const ifTable = '.1.3.6.1.2.1.2.2.1';
const ifXTable = '.1.3.6.1.2.1.31.1.1.1';
const statusNumbers = { up: '1', down: '2', unknown: '4' } as const;
const operStatusTimeoutMs = 20_000;

/** Returns the value as snmpget prints it, without quotes. */
export async function snmpget(target: SnmpTarget, oid: string): Promise<string> {
  return run('snmpget', target, oid);
}

async function snmpsetAdmin(target: SnmpTarget, ifIndex: number, status: 'up' | 'down'): Promise<void> {
  await run('snmpset', target, `${ifTable}.7.${ifIndex}`, 'i', statusNumbers[status]);
}

async function run(program: string, { address, port, community }: SnmpTarget, ...args: string[]): Promise<string> {
  const options = ['-v2c', '-c', community, '-t', '5', '-Oqvn', `${address}:${port}`];
  const { stdout } = await promisify(execFile)(program, [...options, ...args], { env: { ...process.env, MIBS: '' } });
  return stdout.trim().replace(/^"|"$/g, '');
}

export function describeSwitchDriver(
  title: string,
  options: { skip?: string },
  start: () => Promise<SwitchFixture>,
): void {
  // In sequence, even if several suites run at once, because they share a port.
  describe(title, { ...options, concurrency: 1 }, () => {
    let fixture: SwitchFixture;
    let device: Switch;
    let reference: PortReference;
    const deadline = () => AbortSignal.timeout(60_000);
    before(async () => {
      fixture = await start();
      device = await fixture.open('full');
      reference = referenceOf(fixture.expected);
    });
    after(async () => {
      await device?.[Symbol.asyncDispose]();
      await fixture?.[Symbol.asyncDispose]();
    });

    it('a driver describes a port as the switch does', async () => {
      const { ifIndex, name, alias } = fixture.expected;
      const ports = await device.ports(deadline());
      const port = ports.find((port) => port.ifIndex === ifIndex);
      assert.deepEqual(port, { ...fixture.expected, adminStatus: 'up', operStatus: 'up' });
      for (const by of ['name', 'description', 'alias'] as const)
        assert.deepEqual(await device.port({ ifIndex, key: { by, value: port![by] } }, deadline()), port);
      assert.equal(await snmpget(fixture.target, `${ifXTable}.1.${ifIndex}`), name);
      assert.equal(await snmpget(fixture.target, `${ifXTable}.18.${ifIndex}`), alias);
    });

    it("a driver reads 64-bit counters of every port, equal to snmpget's", async () => {
      const { target, expected } = fixture;
      const oid = `${ifXTable}.6.${expected.ifIndex}`;
      const earlier = BigInt(await snmpget(target, oid));
      const { upTimeTicks, ports } = await device.counters([{ by: 'alias', value: expected.alias }], deadline());
      const later = BigInt(await snmpget(target, oid));
      const counted = ports.find((port) => port.ifIndex === expected.ifIndex)!;
      const { inOctets, outOctets: _, ...described } = counted;
      assert.ok(earlier <= inOctets && inOctets <= later, `${earlier} ${inOctets} ${later}`);
      const { ifIndex, name, alias } = expected;
      assert.deepEqual(described, { ifIndex, name, description: '', alias, counterBits: 64 });
      assert.ok(upTimeTicks > 0);
      const states = await device.ports(deadline());
      assert.deepEqual(
        ports.map(({ ifIndex }) => ifIndex),
        states.map(({ ifIndex }) => ifIndex),
      );
    });

    it('a driver enables and disables a port, also repeatedly', async () => {
      const { target, expected } = fixture;
      for (const status of ['down', 'down', 'up', 'up'] as const) {
        const state = await device.setAdmin(reference, status, deadline());
        assert.equal(state.adminStatus, status);
        assert.equal(await snmpget(target, `${ifTable}.7.${expected.ifIndex}`), statusNumbers[status]);
        await waitForOperStatus(device, reference, status);
        assert.equal(await snmpget(target, `${ifTable}.8.${expected.ifIndex}`), statusNumbers[status]);
      }
    });

    it('a driver sees changes by other programs', async () => {
      const { target, expected } = fixture;
      for (const status of ['down', 'up'] as const) {
        await snmpsetAdmin(target, expected.ifIndex, status);
        await waitForOperStatus(device, reference, status);
        assert.equal((await device.port(reference, deadline())).adminStatus, status);
      }
    });

    it('a driver reports a missing port', async () => {
      const missing = { ...reference, ifIndex: 9999 };
      const attempts = [device.port(missing, deadline()), device.setAdmin(missing, 'down', deadline())];
      await Promise.all(attempts.map((attempt) => assert.rejects(attempt, PortMismatchError)));
    });

    it('a driver neither reads nor changes a port with another name', async () => {
      const renamed = { ...reference, key: { ...reference.key, value: `${reference.key.value}0` } };
      await assert.rejects(device.port(renamed, deadline()), PortMismatchError);
      await assert.rejects(device.setAdmin(renamed, 'down', deadline()), PortMismatchError);
      assert.equal(await snmpget(fixture.target, `${ifTable}.7.${reference.ifIndex}`), statusNumbers.up);
    });

    it('a driver reports a rejected write, and the port keeps its state', async () => {
      await using reader = await fixture.open('read only');
      assert.equal((await reader.port(reference, deadline())).adminStatus, 'up');
      const change = reader.setAdmin(reference, 'down', deadline());
      await assert.rejects(change, { code: 'switch_error' });
      assert.equal((await device.port(reference, deadline())).adminStatus, 'up');
    });

    it('a driver reports an unreachable switch, not a port that is down', async () => {
      await using unreachable = await fixture.open('nobody there');
      const attempts = [
        unreachable.port(reference, deadline()),
        unreachable.ports(deadline()),
        unreachable.counters([], deadline()),
        unreachable.setAdmin(reference, 'up', deadline()),
      ];
      await Promise.all(attempts.map((attempt) => assert.rejects(attempt, { code: 'switch_unreachable' })));
    });

    it('a driver stops when its caller aborts', async () => {
      await using unreachable = await fixture.open('nobody there');
      await assert.rejects(unreachable.ports(AbortSignal.timeout(20)), { code: 'switch_unreachable' });
      const reason = new DOMException('the caller aborted', 'AbortError');
      await assert.rejects(unreachable.ports(AbortSignal.abort(reason)), reason);
    });

    it('a driver reports wrong credentials without revealing them', async () => {
      await using unauthenticated = await fixture.open('wrong secret');
      await assert.rejects(unauthenticated.ports(deadline()), (error: ApiError) => {
        assert.match(error.code, /^switch_(unreachable|error)$/);
        assert.doesNotMatch(`${error.message} ${error.internal} ${String(error.cause)}`, /not-the-secret/);
        return true;
      });
    });
  });
}

/** Refers to a port by its name. */
export function referenceOf({ ifIndex, name }: Pick<PortState, 'ifIndex' | 'name'>): PortReference {
  return { ifIndex, key: { by: 'name', value: name } };
}

/** The link follows its port with a delay. */
async function waitForOperStatus(device: Switch, port: PortReference, status: 'up' | 'down'): Promise<void> {
  const timeout = AbortSignal.timeout(operStatusTimeoutMs);
  while ((await device.port(port, timeout)).operStatus !== status) await sleep(50);
}
