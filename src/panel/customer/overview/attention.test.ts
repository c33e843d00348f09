import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Action, Device, DeviceState, InvoiceListItem, Plan, TrafficMonth } from '#sdk/v2.ts';
import type { Attack } from '../network/attack.ts';
import { attentionOf, type Known } from './attention.ts';

const device = { service: '1001', name: 'E3', hostname: 'web1', status: 'Active', type: 'dedicated' } as Device;
const known = (given: Partial<Known>): Known => ({
  devices: [device],
  states: new Map(),
  attacks: [],
  invoices: [],
  months: new Map(),
  actions: [],
  plans: [],
  now: Date.UTC(2026, 10, 15, 12),
  ...given,
});
const titles = (given: Partial<Known>): string[] => attentionOf(known(given)).map(({ title }) => title);
const state = (health: string) => new Map([['1001', { health, reason: 'Why.' } as DeviceState]]);
const month = (given: object) => new Map([['1001', given as TrafficMonth]]);
const attack = { id: '1', service: '1001', address: '203.0.113.10', kind: 'UDP flood', bits: { value: 5 } } as Attack;

describe('what needs attention', () => {
  it('is nothing where all is well', () => {
    const paid = { status: 'Paid' } as InvoiceListItem;
    assert.deepEqual(titles({ states: state('Good'), invoices: [paid], attacks: [{ ...attack, end: 5 }] }), []);
  });

  it('is an attack under way, and a null-route that outlasts it', () => {
    assert.deepEqual(titles({ attacks: [attack] }), ['web1 is under attack']);
    const over = { ...attack, end: 9, nullroute: { from: 5, until: undefined } };
    assert.deepEqual(titles({ attacks: [over] }), ['203.0.113.10 is still null-routed']);
  });

  it('is a plan that waits, and none that was decided', () => {
    const plan = { id: '4', status: 'Pending', summary: 'Remove a zone', hits: ['zone a.net'] } as unknown as Plan;
    const plans = [plan, { ...plan, id: '5', status: 'Refused' } as Plan];
    assert.deepEqual(titles({ plans }), ['A plan waits for your decision: Remove a zone']);
  });

  it('is what is urgent first', () => {
    const overdue = {
      id: '2',
      invoicenum: 'LAB-0002',
      status: 'Overdue',
      total: '118.58',
      currencyprefix: '€',
      duedate: '2026-10-15',
    } as InvoiceListItem;
    const all = attentionOf(known({ states: state('Maintenance'), invoices: [overdue] }));
    assert.deepEqual(
      all.map(({ title, detail }) => [title, detail]),
      [
        ['Invoice LAB-0002 is overdue', '€118.58 was due on 2026-10-15.'],
        ['web1 is under maintenance', 'Why.'],
      ],
    );
  });

  it('is a failure of the last day, not an old one', () => {
    const failed = { id: '3', operation: 'devicePowerSet', service: '1001', status: 'Failed', error: 'No answer.' };
    const at = (ended: string) => titles({ actions: [{ ...failed, ended } as Action] });
    assert.equal(at('2026-11-15 11:00:00').length, 1);
    assert.equal(at('2026-11-14 11:00:00').length, 0);
  });

  it('is traffic above what is in the price, or going there', () => {
    const of = (so: string, projected: string, committed: string) =>
      titles({ months: month({ '95pct': so, projected, committed }) });
    assert.deepEqual(of('90', '120', '100'), ['web1 is going to be above its commitment']);
    assert.deepEqual(of('110', '120', '100'), ['web1 is above its commitment']);
    assert.deepEqual(of('110', '120', ''), []);
    assert.deepEqual(of('90', '100', '100'), []);
  });
});
