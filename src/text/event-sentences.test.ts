import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from '#sdk/v2.ts';
import { describeEvent, type EventNames } from './event-sentences.ts';

const event = (type: string, data: object, service = ''): Event =>
  ({ id: '1', type, version: 1, timestamp: '2026-11-15T12:00:00Z', service, data }) as Event;
const names: Readonly<Record<string, string>> = { 'service 1001': 'web1.example.net', 'contact 3': 'Dana Moss' };
const nameOf: EventNames = (thing, id) => names[`${thing} ${id}`];

describe('the sentence of an event', () => {
  it('names the server', () => {
    const failed = describeEvent(event('device.reload.failed', { reason: 'no disk' }, '1001'), nameOf);
    assert.equal(failed.sentence, 'web1.example.net: Installation failed: no disk');
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
    assert.equal(added.sentence, 'Dana Moss: Contact added');
  });
});
