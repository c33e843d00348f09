// The texts were written by FastNetMon 1.2.4.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { figureNames } from './figures.ts';
import { parseInformation } from './information.ts';
import { parseNotification } from './notification.ts';

const ban = `IP: 0.0.0.0
Attack type: udp_flood
Initial attack power: 12756 packets per second
Peak attack power: 23313 packets per second
Attack direction: incoming
Attack protocol: udp
Total incoming traffic: 102 mbps
Total outgoing traffic: 3 mbps
Total incoming pps: 12756 packets per second
Total outgoing pps: 40 packets per second
Total incoming flows: 19 flows per second
Average incoming traffic: 101 mbps
Incoming ip fragmented pps: 9 packets per second
Incoming tcp traffic: 1 mbps
Incoming tcp pps: 11 packets per second
Incoming syn tcp traffic: 0 mbps
Incoming syn tcp pps: 2 packets per second
Incoming udp traffic: 101 mbps
Incoming udp pps: 12740 packets per second
Outgoing icmp pps: 5 packets per second

Average packet size for incoming traffic: 1000.0 bytes
Incoming udp pps: 1 packets per second
203.0.113.66:4444 < 198.51.100.18:53 1000000 bytes 1000 packets
`;

test('a ban has type, protocol, peak and traffic', () => {
  const { figures, ...rest } = parseNotification(ban);
  assert.deepEqual(rest, { attackType: 'udp_flood', protocol: 'udp', peakPacketsPerSecond: 23_313 });
  assert.deepEqual(figures, {
    d_total: 12_756,
    d_totalbits: 102_000_000,
    s_total: 40,
    s_totalbits: 3_000_000,
    d_tcp: 11,
    d_tcpbits: 1_000_000,
    d_syn: 2,
    d_synbits: 0,
    d_udp: 12_740,
    d_udpbits: 101_000_000,
    s_icmp: 5,
  });
});

test('an unban has no text and gives no information', () => {
  const nothing = { attackType: undefined, protocol: undefined, peakPacketsPerSecond: undefined, figures: {} };
  assert.deepEqual(parseNotification(''), nothing);
  assert.deepEqual(parseNotification('\n'), nothing);
});

test('the JSON in Redis has the address and traffic, and an id of zeros counts as none', () => {
  const details = {
    attack_uuid: '00000000-0000-0000-0000-000000000000',
    incoming_udp_pps: 12_756,
    incoming_udp_traffic: 12_756_091,
    incoming_udp_traffic_bits: 102_048_728,
    incoming_syn_tcp_pps: 3,
    total_incoming_pps: 12_756,
    total_incoming_traffic_bits: 102_048_728,
    total_outgoing_pps: 0,
    protocol_version: 'IPv4',
  };
  const information = { action: 'ban', alert_scope: 'host', attack_details: details, ip: '203.0.113.66' };
  assert.deepEqual(parseInformation(JSON.stringify(information)), {
    action: 'ban',
    address: '203.0.113.66',
    attack: '',
    figures: {
      d_total: 12_756,
      d_totalbits: 102_048_728,
      s_total: 0,
      d_syn: 3,
      d_udp: 12_756,
      d_udpbits: 102_048_728,
    },
  });
  const withId = { ...information, attack_details: { attack_uuid: '6f1c2f0e-0000-4000-8000-000000000001' } };
  assert.equal(parseInformation(JSON.stringify(withId))?.attack, '6f1c2f0e-0000-4000-8000-000000000001');
});

test('any text gives integers under known names, or nothing', () => {
  const names = new Set<string>(figureNames);
  const checkFigures = (figures: object): void => {
    for (const [name, value] of Object.entries(figures)) {
      assert.ok(names.has(name));
      assert.ok(Number.isSafeInteger(value) && value >= 0);
    }
  };
  const labels = fc.constantFrom(
    'Total incoming pps',
    'Incoming syn tcp traffic',
    'Attack type',
    'Peak attack power',
    '',
  );
  const line = fc
    .tuple(labels, fc.oneof(fc.string(), fc.maxSafeNat().map(String)))
    .map(([label, text]) => `${label}: ${text}`);
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) =>
      checkFigures(parseNotification(lines.join('\n')).figures),
    ),
  );
  const details = fc.dictionary(
    fc.constantFrom('total_incoming_pps', 'incoming_udp_traffic_bits', 'attack_uuid'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.record({ action: fc.string(), ip: fc.string(), attack_details: details })),
      (value) => checkFigures(parseInformation(JSON.stringify(value))?.figures ?? {}),
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => checkFigures(parseInformation(text)?.figures ?? {})));
});
