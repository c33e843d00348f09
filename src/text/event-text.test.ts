import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from '#sdk/v2.ts';
import { eventText } from './event-text.ts';

const event = (type: string, data: object): Event =>
  ({ id: '1', type, version: 1, timestamp: '2026-11-15T12:00:00Z', service: '1001', data }) as Event;

describe('the text of an event', () => {
  it('describes what happened', () => {
    assert.equal(eventText(event('device.power.changed', { state: 'off', source: 'command' })), 'Powered off');
    assert.equal(
      eventText(event('network.attack.started', { ip: '203.0.113.10', direction: 'incoming' })),
      'Attack on 203.0.113.10',
    );
  });

  it('counts the records of a zone as the preview of an import does', () => {
    const data = { name: 'a.net', added: 3, removed: 1, changed: 1 };
    assert.equal(eventText(event('dns.zone.changed', data)), 'Zone a.net updated: 2 added, 1 changed');
    assert.equal(
      eventText(event('dns.zone.changed', { ...data, changed: undefined })),
      'Zone a.net updated: 3 added, 1 removed',
    );
  });

  it('gives the reason of a suspension', () => {
    assert.equal(eventText(event('service.suspended', { reason: 'Spam' })), 'Service suspended: Spam');
    assert.equal(eventText(event('service.suspended', {})), 'Service suspended');
  });

  it('falls back to the type of an unknown event', () => {
    assert.equal(eventText(event('device.moved', {})), 'device.moved');
  });
});
