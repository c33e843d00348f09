import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '#sdk/v2.ts';
import { pageOf } from './event-pages.ts';

const event = (type: string, data: object, service = ''): Event =>
  ({ id: '1', type, version: 1, timestamp: '2026-11-15T12:00:00Z', service, data }) as Event;

test('an event opens what it concerns, and nothing that is gone', () => {
  const reload = event('device.reload.failed', { reason: 'no disk' }, '1001');
  assert.deepEqual(pageOf(reload), { to: '/servers/1001', hash: 'install' });
  assert.deepEqual(pageOf(event('contact.created', { contactid: '3' })), { to: '/contacts' });
  const zone = { domain_id: '12', name: 'example.org' };
  assert.deepEqual(pageOf(event('dns.zone.created', zone)), { to: '/dns/12' });
  assert.equal(pageOf(event('dns.zone.deleted', zone)), undefined);
  assert.deepEqual(pageOf(event('dns.zone.withdrawn', zone)), { to: '/dns', hash: 'withdrawn' });
  const invoice = { invoiceid: '4', invoicenum: 'LAB-0004', total: '1.00', duedate: '2026-12-01' };
  assert.deepEqual(pageOf(event('invoice.issued', invoice)), { to: '/invoices', hash: '4' });
});
