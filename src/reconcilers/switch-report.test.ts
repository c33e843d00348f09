import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PortErrors } from '#drivers/switch/driver.ts';
import type { SwitchReport } from '#store/network/switch-reports.ts';
import { isReportDue, reportOf, type ReportReading } from './switch-report.ts';

const minuteMs = 60_000;
const names = { ifIndex: 1, name: 'ge-0/0/0', description: 'ge-0/0/0', alias: 'web1' };
const noErrors: PortErrors = { inErrors: 0, outErrors: 0, inDiscards: 0, outDiscards: undefined };

interface Given {
  readonly minute: number;
  readonly octets?: bigint;
  readonly errors?: Partial<PortErrors>;
  readonly upMinutes?: number;
  readonly name?: string;
  readonly neighbours?: ReportReading['neighbours'];
}
function reading({ minute, octets = 0n, errors, upMinutes = 1000 + minute, name = names.name, neighbours }: Given) {
  const upTimeTicks = upMinutes * 6000;
  const port = { ...names, name };
  const state = { adminStatus: 'up', operStatus: 'up', speedBitsPerSecond: 1e9 } as const;
  return {
    atMs: minute * minuteMs,
    counters: { upTimeTicks, ports: [{ ...port, inOctets: octets, outOctets: octets, counterBits: 64 as const }] },
    inspection: { description: 'a switch', upTimeTicks, ports: [{ ...port, ...state, ...noErrors, ...errors }] },
    neighbours,
  };
}
const portOf = (report: SwitchReport) => report.ports[0]!;

describe('the report of a switch', () => {
  const first = reportOf(undefined, reading({ minute: 0 }));

  it('has averages since the one before, and none at first', () => {
    assert.equal(portOf(first).inRate, undefined);
    const second = reportOf(first, reading({ minute: 5, octets: 3_750_000n, errors: { inErrors: 10, outErrors: 5 } }));
    const { inRate, errorRate, discardRate, errorAt } = portOf(second);
    assert.deepEqual([inRate, errorRate, discardRate, errorAt], [100_000, 3, 0, 5 * minuteMs]);
    assert.equal(second.summary.portsWithErrors, 1);
    const quiet = reportOf(second, reading({ minute: 10, octets: 3_750_000n, errors: { inErrors: 10, outErrors: 5 } }));
    assert.deepEqual([portOf(quiet).inRate, portOf(quiet).errorAt], [0, 5 * minuteMs]);
  });

  it('has unknown averages after a restart, a pause, a cleared counter, and for a port under another name', () => {
    const before = reportOf(first, reading({ minute: 5, octets: 1000n, errors: { inErrors: 7 } }));
    const unknown = [
      reading({ minute: 10, octets: 2000n, upMinutes: 1 }),
      reading({ minute: 60, octets: 2000n }),
      reading({ minute: 10, octets: 2000n, name: 'xe-0/0/0' }),
      reading({ minute: 10, octets: 10n }),
    ];
    for (const each of unknown) assert.equal(portOf(reportOf(before, each)).inRate, undefined);
    const { errorRate } = portOf(reportOf(before, reading({ minute: 10, octets: 2000n, errors: { inErrors: 0 } })));
    // The other direction is still known.
    assert.equal(errorRate, 0);
  });

  it('keeps neighbours until they are read again', () => {
    const neighbours = [{ ifIndex: 1, macs: ['52:54:00:00:00:01'], system: 'web1', port: 'eth0' }];
    const known = reportOf(first, reading({ minute: 5, neighbours }));
    const kept = reportOf(known, reading({ minute: 10 }));
    assert.equal(portOf(kept).neighbour?.system, 'web1');
    assert.equal(portOf(reportOf(kept, reading({ minute: 15, neighbours: [] }))).neighbour, undefined);
  });

  it('is due every five minutes, and at once while it has no averages', () => {
    assert.equal(isReportDue(undefined, 0), true);
    assert.equal(isReportDue(first, minuteMs), true);
    const second = reportOf(first, reading({ minute: 1 }));
    assert.deepEqual(
      [2, 5, 6].map((minute) => isReportDue(second, minute * minuteMs)),
      [false, false, true],
    );
  });
});
