import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Action, Device, DeviceState, InvoiceListItem, Plan, TrafficMonth } from '#sdk/v2.ts';
import type { Attack } from '../network/attack.ts';
import { dateFormats } from '../../parts/dates.ts';
import { listAttentionItems, type OverviewData } from './attention.ts';

const device = { service: '1001', name: 'E3', hostname: 'web1', status: 'Active', type: 'dedicated' } as Device;
const overviewData = (overrides: Partial<OverviewData>): OverviewData => ({
  devices: [device],
  states: new Map(),
  attacks: [],
  invoices: [],
  months: new Map(),
  actions: [],
  plans: [],
  now: Date.UTC(2026, 10, 15, 12),
  ...overrides,
});
const titles = (overrides: Partial<OverviewData>): string[] =>
  listAttentionItems(overviewData(overrides)).map(({ title }) => title);
const state = (health: string) => new Map([['1001', { health, reason: 'Why.' } as DeviceState]]);
const month = (values: object) => new Map([['1001', values as TrafficMonth]]);
const attack = { id: '1', service: '1001', address: '203.0.113.10', kind: 'UDP flood', bits: { value: 5 } } as Attack;

describe('the attention list', () => {
  it('is empty if everything is fine', () => {
    const paid = { status: 'Paid' } as InvoiceListItem;
    assert.deepEqual(titles({ states: state('Good'), invoices: [paid], attacks: [{ ...attack, end: 5 }] }), []);
  });

  it('contains ongoing attacks, and null routes that outlast their attack', () => {
    assert.deepEqual(titles({ attacks: [attack] }), ['web1 is under attack']);
    const nullrouted = { ...attack, end: 9, nullroute: { from: 5, until: undefined } };
    assert.deepEqual(titles({ attacks: [nullrouted] }), ['203.0.113.10 is still null-routed']);
  });

  it('contains pending approvals, but no decided ones', () => {
    const plan = { id: '4', status: 'Pending', summary: 'Remove a zone', hits: ['zone a.net'] } as unknown as Plan;
    const plans = [plan, { ...plan, id: '5', status: 'Refused' } as Plan];
    assert.deepEqual(titles({ plans }), ['Approval needed: Remove a zone']);
  });

  it('starts with the urgent items', () => {
    const overdue = {
      id: '2',
      invoicenum: 'LAB-0002',
      status: 'Overdue',
      total: '118.58',
      balance: '68.58',
      currencyprefix: '€',
      duedate: '2026-10-15',
    } as InvoiceListItem;
    const all = listAttentionItems(overviewData({ states: state('Maintenance'), invoices: [overdue] }));
    assert.deepEqual(all[0]?.link, { page: 'invoice', invoice: '2' });
    assert.deepEqual(
      all.map(({ title, detail }) => [title, detail]),
      [
        ['Invoice LAB-0002 is overdue', `€68.58 was due on ${dateFormats().day(new Date('2026-10-15'))}.`],
        ['web1 is under maintenance', 'Why.'],
      ],
    );
  });

  it('contains failed actions of the last 24 hours only', () => {
    const failed = { id: '3', operation: 'devicePowerSet', service: '1001', status: 'Failed', error: 'No response.' };
    const at = (ended: string) => titles({ actions: [{ ...failed, ended } as Action] });
    assert.equal(at('2026-11-15 11:00:00').length, 1);
    assert.equal(at('2026-11-14 11:00:00').length, 0);
  });

  it('contains traffic that exceeds its commitment or is projected to', () => {
    const titlesFor = (percentile: string, projected: string, committed: string) =>
      titles({ months: month({ '95pct': percentile, projected, committed }) });
    assert.deepEqual(titlesFor('90', '120', '100'), ['web1 is projected to exceed its committed rate']);
    assert.deepEqual(titlesFor('110', '120', '100'), ['web1 exceeds its committed rate']);
    assert.deepEqual(titlesFor('110', '120', ''), []);
    assert.deepEqual(titlesFor('110', '120', '0'), []);
    assert.deepEqual(titlesFor('90', '100', '100'), []);
  });
});
