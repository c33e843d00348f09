import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnomalyEvent } from '#sdk/v2.ts';
import { toAttack, listAttacks, durationText, attackKindText } from './attack.ts';

const figures = ['total', 'tcp', 'syn', 'udp', 'icmp'].flatMap((name) =>
  ['d', 's'].flatMap((side) => [`${side}_${name}`, `${side}_${name}bits`]),
);
type Log = AnomalyEvent['logs']['result'][number];
const log = (activity: number, overrides: Record<string, number>): Log =>
  ({
    ...Object.fromEntries(figures.map((name) => [name, '0'])),
    ...Object.fromEntries(Object.entries(overrides).map(([name, value]) => [name, String(value)])),
    ip: '203.0.113.10',
    activity: String(activity),
  }) as Log;
const record = (overrides: Record<string, string>) =>
  ({ rule_direction: 'incoming', rule_unit: 'bits/s', filters: 'udp_flood', value: '0', ...overrides }) as never;

function event(overrides: Partial<AnomalyEvent>): AnomalyEvent {
  return {
    id: '7',
    anomaly_id: '7',
    target_ip: '203.0.113.10',
    internal_client: '1',
    internal_service: '1001',
    internal_device: 'dc01r01ds01',
    internal_network: '203.0.113.10/32',
    active: '0',
    start: '1000',
    end: '2800',
    nullroute_start: null,
    nullroute_end: null,
    nullroute_active: '0',
    detail: resultList([]),
    logs: resultList([]),
    ...overrides,
  };
}
const resultList = <T>(result: T[]) => ({ success: true, results: result.length, result });

describe('an attack', () => {
  it('peaks at the highest logged rate, and lists the protocols at that time', () => {
    const logs = resultList([
      log(1000, { d_totalbits: 10, d_total: 1, d_tcpbits: 10 }),
      log(1060, { d_totalbits: 900, d_total: 90, d_udpbits: 800, d_tcpbits: 100 }),
      log(1120, { d_totalbits: 500, d_total: 95, d_udpbits: 500 }),
    ]);
    const attack = toAttack(event({ logs, detail: resultList([record({ value: '700' })]) }));
    assert.deepEqual(attack.bits, { value: 900, at: 1060 });
    assert.deepEqual(attack.packets, { value: 95, at: 1120 });
    assert.deepEqual(attack.protocols, [
      { name: 'UDP', bits: 800 },
      { name: 'TCP', bits: 100 },
    ]);
    assert.equal(attack.kind, 'UDP flood');
  });

  it('takes the rate of its detector if that is higher than the logged one', () => {
    const attack = toAttack(event({ detail: resultList([record({ value: '5000' })]) }));
    assert.deepEqual(attack.bits, { value: 5000, at: undefined });
    assert.deepEqual(attack.points, []);
  });

  it('that is outgoing is measured by what the server sends', () => {
    const detail = resultList([record({ rule_direction: 'outgoing' })]);
    const attack = toAttack(event({ detail, logs: resultList([log(1000, { s_totalbits: 70, d_totalbits: 9 })]) }));
    assert.deepEqual([attack.direction, attack.bits.value], ['outgoing', 70]);
  });

  it('has no end while it is ongoing, and neither has its null route', () => {
    const attack = toAttack(event({ active: '1', end: '0', nullroute_start: '1100', nullroute_active: '1' }));
    assert.equal(attack.end, undefined);
    assert.deepEqual(attack.nullroute, { from: 1100, until: undefined });
  });

  it('is listed before older ones', () => {
    const attacks = listAttacks({ 7: event({}), 8: event({ anomaly_id: '8', start: '5000', end: '6000' }) });
    assert.deepEqual(
      attacks.map(({ id }) => id),
      ['8', '7'],
    );
  });

  it('has a readable kind and duration', () => {
    assert.deepEqual(['syn_flood', '', 'amplification'].map(attackKindText), [
      'SYN flood',
      'Unusual traffic',
      'Amplification',
    ]);
    assert.deepEqual([20, 1800, 7200, 7500, 400_000].map(durationText), [
      'under a minute',
      '30 min',
      '2 h',
      '2 h 5 min',
      '5 days',
    ]);
  });
});
