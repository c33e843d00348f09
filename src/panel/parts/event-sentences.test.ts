import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from '#sdk/v2.ts';
import type { NameOf } from './audit-sentences.ts';
import { describeEvent } from './event-sentences.ts';

const event = (type: string, data: object, service = ''): Event =>
  ({ id: '1', type, version: 1, timestamp: '2026-11-15T12:00:00Z', service, data }) as Event;
const names: Readonly<Record<string, string>> = { 'service 1001': 'web1.example.net', 'contact 3': 'Dana Moss' };
const nameOf: NameOf = (thing, id) => names[`${thing} ${id}`];

describe('the sentence of an event', () => {
  it('names the server and opens the part of its page that the event concerns', () => {
    const failed = describeEvent(event('device.reload.failed', { reason: 'no disk' }, '1001'), nameOf);
    assert.equal(failed.sentence, 'web1.example.net: Installation failed: no disk');
    assert.deepEqual(failed.page, { to: '/servers/1001', hash: 'install' });
    assert.equal(describeEvent(event('service.suspended', {}, '7')).sentence, 'Service 7: Service suspended');
  });

  it('says who did something, and from where', () => {
    const data = { contactid: '3', session: '9', address: '192.0.2.7' };
    assert.equal(
      describeEvent(event('account.password.changed', data), nameOf).sentence,
      'Password changed, by Dana Moss from 192.0.2.7',
    );
    assert.equal(
      describeEvent(event('account.password.changed', { ...data, contactid: '', address: '' })).sentence,
      'Password changed, by Account owner',
    );
  });

  it('names the person whom it concerns', () => {
    const added = describeEvent(event('contact.created', { contactid: '3' }), nameOf);
    assert.deepEqual([added.sentence, added.page], ['Dana Moss: Contact added', { to: '/contacts' }]);
  });

  it('opens zones and invoices, and nothing that is gone', () => {
    const zone = { domain_id: '12', name: 'example.org' };
    assert.deepEqual(describeEvent(event('dns.zone.created', zone)).page, { to: '/dns/12' });
    assert.equal(describeEvent(event('dns.zone.deleted', zone)).page, undefined);
    const invoice = { invoiceid: '4', invoicenum: 'LAB-0004', total: '1.00', duedate: '2026-12-01' };
    assert.deepEqual(describeEvent(event('invoice.issued', invoice)).page, { to: '/invoices', hash: '4' });
  });
});
